import {
  type Check,
  type CheckedPod,
  containers,
  containersOf,
  containersWhere,
  distinct,
  quoted,
} from '../check.ts';

const defaults = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);
const unprivilegedPorts = new Set(['NET_BIND_SERVICE']);

export const defaultCapabilities: Check = (pod) => {
  const detail = addedBeyond(pod, defaults);
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
};

export const droppedCapabilities: Check = (pod) => {
  const keeping = containersWhere(pod, ({ capabilities }) => !capabilities?.drop?.includes('ALL'));
  const kept =
    keeping.length === 0
      ? undefined
      : `${containers(keeping)} must set securityContext.capabilities.drop=["ALL"]`;
  const added = addedBeyond(pod, unprivilegedPorts);
  if (kept === undefined && added === undefined) return undefined;
  return {
    reason: 'unrestricted capabilities',
    detail: [kept, added].filter((part) => part !== undefined).join('; '),
  };
};

function addedBeyond(pod: CheckedPod, allowed: ReadonlySet<string>): string | undefined {
  const isBad = (capability: string) => !allowed.has(capability);
  const names = containersWhere(pod, ({ capabilities }) => capabilities?.add?.some(isBad) ?? false);
  if (names.length === 0) return undefined;
  const added = containersOf(pod).flatMap(({ securityContext }) => securityContext?.capabilities?.add ?? []);
  return `${containers(names)} must not include ${quoted(distinct(added.filter(isBad)))} in securityContext.capabilities.add`;
}
