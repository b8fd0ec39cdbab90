import type { CachedPod } from '../pods/pod-state.ts';
import { untoleratedTaint, unschedulableTaint } from '../nodes/taints.ts';
import { type MakeFilter, resolvable, unresolvable } from './filter.ts';
import { podRequests } from './pod-requests.ts';

/** Nodes that kubectl cordon has taken out of service. */
export const nodeUnschedulable: MakeFilter = ({ spec }) => {
  const taint = { key: unschedulableTaint, effect: 'NoSchedule' } as const;
  if (!untoleratedTaint([taint], spec?.tolerations, ['NoSchedule'])) return undefined;
  const rejection = unresolvable('node(s) were unschedulable');
  return ({ node }) => (node.spec?.unschedulable ? rejection : undefined);
};

/** Nodes with taints that the pod does not tolerate. */
export const taintToleration: MakeFilter =
  ({ spec }) =>
  ({ node }) =>
    untoleratedTaint(node.spec?.taints, spec?.tolerations, ['NoSchedule', 'NoExecute'])
      ? unresolvable('node(s) had untolerated taint(s)')
      : undefined;

/** Nodes where another pod has a host port of the pod. */
export const nodePorts: MakeFilter = (pod) => {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return undefined;
  const rejection = resolvable("node(s) didn't have free ports for the requested pod ports");
  return ({ pods }) => {
    const taken = [...pods.values()].flatMap((placed) => hostPorts(placed.pod));
    return wanted.some((port) => taken.some((other) => conflict(port, other))) ? rejection : undefined;
  };
};

interface HostPort {
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}

function hostPorts({ spec }: CachedPod): HostPort[] {
  const { containers = [], initContainers = [] } = spec ?? {};
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...containers, ...sidecars].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, hostIP = '0.0.0.0', protocol = 'TCP' }) =>
      hostPort ? [{ ip: hostIP, port: hostPort, protocol }] : [],
    ),
  );
}

function conflict(a: HostPort, b: HostPort): boolean {
  const overlaps = a.ip === b.ip || a.ip === '0.0.0.0' || b.ip === '0.0.0.0';
  return overlaps && a.port === b.port && a.protocol === b.protocol;
}

/** Nodes without room for what the pod requests. */
export const nodeResourcesFit: MakeFilter = (pod) => {
  const requests = [...podRequests(pod)].filter(([, amount]) => amount > 0);
  return ({ allocatable, requested, pods }) => {
    const tooMany = pods.size + 1 > (allocatable.get('pods') ?? 0);
    const short = requests.filter(
      ([name, amount]) => amount > (allocatable.get(name) ?? 0) - (requested.get(name) ?? 0),
    );
    if (!tooMany && short.length === 0) return undefined;
    const reasons = [...(tooMany ? ['Too many pods'] : []), ...short.map(([name]) => `Insufficient ${name}`)];
    const isResolvable = short.every(([name, amount]) => amount <= (allocatable.get(name) ?? 0));
    return { reasons, isResolvable };
  };
};
