import type { ContainerStatus, PodCondition, PodSpec, PodStatus } from 'ots-kubernetes/core/v1';
import { qualifiedName, subdomain } from 'ots-apimachinery/names';
import { type FieldError, duplicate, forbidden, invalid } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateIp } from '../../validation/validate-ip.ts';
import type { DecodedPod } from '../pod-strategy.ts';
import { validatePodAnnotationUpdates } from './validate-pod-annotations.ts';

const ownConditions = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Validates an update of the status. Ignores resource claims whose feature gates are off. */
export function validatePodStatus(pod: DecodedPod, old: DecodedPod): FieldError[] {
  const { status = {}, spec } = pod;
  const before = old.status ?? {};
  return [
    ...validatePodAnnotationUpdates(pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
    ...validateConditions(status.conditions ?? []),
    ...validateNomination(status.nominatedNodeName ?? '', before.nominatedNodeName, old.spec),
    ...validateGeneration(status.observedGeneration, 'status.observedGeneration'),
    ...(status.qosClass === before.qosClass
      ? []
      : [invalid('status.qosClass', status.qosClass ?? '', 'field is immutable')]),
    ...validateTransitions(status, before, old.spec),
    ...validateClaims(status, spec),
    ...validateIps(status, before),
  ];
}

function validateConditions(conditions: readonly PodCondition[]): FieldError[] {
  return conditions.flatMap(({ type, observedGeneration }, index) => [
    ...validateGeneration(observedGeneration, `status.conditions[${index}].observedGeneration`),
    ...(ownConditions.has(type)
      ? []
      : errorsOfRule(`status.conditions[${index}].Type`, type ?? '', qualifiedName)),
  ]);
}

function validateGeneration(generation: number | undefined, field: string): FieldError[] {
  return (generation ?? 0) < 0 ? [invalid(field, generation, 'must be a non-negative integer')] : [];
}

function validateNomination(node: string, before: string | undefined, { nodeName }: PodSpec): FieldError[] {
  const field = 'status.nominatedNodeName';
  if (node === '' || node === before) return [];
  return [
    ...errorsOfRule(field, node, subdomain),
    ...(nodeName ? [forbidden(field, 'may not be set on pods that are already bound to a node')] : []),
  ];
}

/** A container that has ended stays so, unless its restart policy allows a restart. */
function validateTransitions(status: PodStatus, before: PodStatus, spec: PodSpec): FieldError[] {
  const lists = [
    ['containerStatuses', 'containers'],
    ['initContainerStatuses', 'initContainers'],
    ['ephemeralContainerStatuses', undefined],
  ] as const;
  return lists.flatMap(([list, containers]) =>
    (before[list] ?? []).flatMap((old, index) => {
      const now = status[list]?.find(({ name }) => name === old.name);
      if (!old.state?.terminated || !now || now.state?.terminated) return [];
      if (containers && mayRestart(old, containers, spec)) return [];
      return [forbidden(`status.${list}[${index}].state`, 'may not be transitioned to non-terminated state')];
    }),
  );
}

function mayRestart(
  { name, state }: ContainerStatus,
  list: 'containers' | 'initContainers',
  spec: PodSpec,
): boolean {
  const exitCode = state?.terminated?.exitCode ?? 0;
  const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const restartsAll = all.some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );
  const container = spec[list]?.find((candidate) => candidate.name === name);
  if (restartsAll) return true;
  if (!container) return false;
  const rule = container.restartPolicyRules?.find(({ exitCodes }) => {
    const isListed = exitCodes?.values?.includes(exitCode) ?? false;
    return exitCodes && isListed === (exitCodes.operator === 'In');
  });
  if (rule) return rule.action === 'Restart';
  const policy = container.restartPolicy ?? spec.restartPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function validateClaims({ resourceClaimStatuses: claims = [] }: PodStatus, spec: PodSpec): FieldError[] {
  const path = 'status.resourceClaimStatuses';
  return claims.flatMap(({ name, resourceClaimName }, index) => {
    const isKnown = spec.resourceClaims?.some((claim) => claim.name === name);
    const isTaken = claims.slice(0, index).some((other) => other.name === name);
    const field = `${path}[${index}].name`;
    return [
      ...(isKnown ? [] : [invalid(field, name, 'must match the name of an entry in `spec.resourceClaims`')]),
      ...(isTaken ? [duplicate(field, name)] : []),
      ...(resourceClaimName === undefined
        ? []
        : errorsOfRule(`${path}[${index}].resourceClaimName`, resourceClaimName, subdomain)),
    ];
  });
}

function validateIps(status: PodStatus, before: PodStatus): FieldError[] {
  const hostIPs = (status.hostIPs ?? []).map(({ ip }) => ip ?? '');
  const [first] = hostIPs;
  return [
    ...validateIpList(
      (status.podIPs ?? []).map(({ ip }) => ip ?? ''),
      (before.podIPs ?? []).map(({ ip }) => ip ?? ''),
      'status.podIPs',
    ),
    ...(first !== undefined && first !== (status.hostIP ?? '')
      ? [invalid('status.hostIPs[0].ip', first, 'must be equal to `hostIP`')]
      : []),
    ...validateIpList(
      hostIPs,
      (before.hostIPs ?? []).map(({ ip }) => ip ?? ''),
      'status.hostIPs',
    ),
  ];
}

/** At most one address per family. */
function validateIpList(ips: readonly string[], known: readonly string[], field: string): FieldError[] {
  const errors = ips.flatMap((ip, index) => validateIp(ip, `${field}[${index}]`, known));
  const version6 = ips.filter((ip) => ip.includes(':')).length;
  if (errors.length > 0 || ips.length < 2 || (ips.length === 2 && version6 === 1)) return errors;
  return [
    invalid(
      field,
      ips.map((ip) => ({ IP: ip })),
      'may specify no more than one IP for each IP family',
    ),
  ];
}
