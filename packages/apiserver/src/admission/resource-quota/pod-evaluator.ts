import type { Container, Pod, PodAffinityTerm } from 'ots-kubernetes/core/v1';
import { type Amount, amountOf } from 'ots-apimachinery/quantity/amount';
import { qualityOfService } from '../../built-in/pods/quality-of-service.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { type Amounts, countOf } from './amounts.ts';
import { type Evaluator, type ScopeSelector, selectsName } from './evaluator.ts';
import { isOfPods, totalOf } from './pod-total.ts';

const countable = ['cpu', 'memory', 'ephemeral-storage'];
const names = new Set([
  'count/pods',
  'pods',
  ...countable.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** What every container must state when a quota counts it. */
const required = new Set(['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]));

/** Counts pods and what their containers ask for. Pods that have ended only count as objects. */
export const podEvaluator: Evaluator = {
  tracks: (name) =>
    names.has(name) || /^(?:requests\.)?hugepages-/.test(name) || isExtended(name, 'requests.'),
  handles: ({ operation, target, object, oldObject }) => {
    if (target.subresource === 'resize') return operation === 'UPDATE';
    if (target.subresource !== '') return false;
    if (operation === 'CREATE') return true;
    return (
      operation === 'UPDATE' &&
      object !== undefined &&
      oldObject !== undefined &&
      hasDeadline(podOf(object)) !== hasDeadline(podOf(oldObject))
    );
  },
  isInScope: (object, selector) => isInScope(podOf(object), selector),
  missing: (object, tracked) => missingIn(podOf(object), tracked),
  usageOf: (object, now) => {
    const pod = podOf(object);
    const count: Amounts = new Map([['count/pods', countOf(1)]]);
    if (hasEnded(pod, now)) return count;
    return new Map([
      ...count,
      ['pods', countOf(1)],
      ...computeUsage(totalOf(pod, 'requests'), totalOf(pod, 'limits')),
    ]);
  },
};

function podOf(object: ApiObject): Pod {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
  return object as unknown as Pod;
}

/** Requests count under their plain names, too. */
function computeUsage(requests: Amounts, limits: Amounts): [string, Amount][] {
  const ofRequests = [...requests].flatMap(([name, amount]): [string, Amount][] => {
    if (isExtended(name, '')) return [[`requests.${name}`, amount]];
    if (!countable.includes(name) && !name.startsWith('hugepages-')) return [];
    return [
      [name, amount],
      [`requests.${name}`, amount],
    ];
  });
  const ofLimits = [...limits]
    .filter(([name]) => countable.includes(name))
    .map(([name, amount]): [string, Amount] => [`limits.${name}`, amount]);
  return [...ofRequests, ...ofLimits];
}

/** Whether a name is that of a device or another resource that Kubernetes does not define. */
function isExtended(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && name.includes('/') && !name.includes('kubernetes.io/');
}

function missingIn({ spec = { containers: [] } }: Pod, tracked: readonly string[]): string | undefined {
  const { requests = {}, limits = {} } = spec.resources ?? {};
  if ([...Object.keys(requests), ...Object.keys(limits)].some(isOfPods)) return undefined;
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  const lines = tracked
    .filter((name) => required.has(name))
    .toSorted()
    .map((name) => [name, containers.filter((container) => !states(container, name))] as const)
    .filter(([, lacking]) => lacking.length > 0)
    .map(
      ([name, lacking]) =>
        `${name} for: ${[...new Set(lacking.map((one) => one.name))].toSorted().join(',')}`,
    );
  return lines.length === 0 ? undefined : `must specify ${lines.join('; ')}`;
}

function states({ resources: { requests = {}, limits = {} } = {} }: Container, name: string): boolean {
  const [, kind = 'requests', resource = ''] = /^(?:(requests|limits)\.)?(.*)$/.exec(name) ?? [];
  return amountOf((kind === 'limits' ? limits : requests)[resource] ?? '') !== undefined;
}

/** A pod that should be gone by now does not count, so that a lost node does not block new pods. */
function hasEnded({ metadata, status }: Pod, now: Date): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  return now.getTime() > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function isInScope(pod: Pod, selector: ScopeSelector): boolean {
  const { spec = { containers: [] }, status } = pod;
  switch (selector.scopeName) {
    case 'Terminating':
      return hasDeadline(pod);
    case 'NotTerminating':
      return !hasDeadline(pod);
    case 'BestEffort':
    case 'NotBestEffort': {
      const isBestEffort = (status?.qosClass ?? qualityOfService(spec)) === 'BestEffort';
      return isBestEffort === (selector.scopeName === 'BestEffort');
    }
    case 'PriorityClass':
      return selectsName(selector, spec.priorityClassName ? [spec.priorityClassName] : []);
    case 'CrossNamespacePodAffinity':
      return affinityTermsOf(pod).some((term) => term.namespaces?.length || term.namespaceSelector);
    default:
      return false;
  }
}

function hasDeadline({ spec }: Pod): boolean {
  return spec?.activeDeadlineSeconds !== undefined;
}

function affinityTermsOf({ spec }: Pod): PodAffinityTerm[] {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((term) => term.podAffinityTerm),
  ]);
}
