import type { Container, EphemeralContainer, Pod, PodSpec, PodTemplateSpec } from 'ots-kubernetes/core/v1';

/** What a check reads: a pod, or the template of a workload. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** How a pod breaks a rule. */
export interface Violation {
  /** Such as `privileged`. */
  readonly reason: string;
  /** Which parts of the pod break it. */
  readonly detail: string;
}

export type Check = (pod: CheckedPod) => Violation | undefined;

type SecurityContext = NonNullable<Container['securityContext']>;

export function checkedPodOf({ metadata, spec }: Pod | PodTemplateSpec): CheckedPod {
  return { annotations: metadata?.annotations ?? {}, spec: spec ?? { containers: [] } };
}

/** All containers of a pod, in the order in which messages name them. */
export function containersOf({ spec }: CheckedPod): (Container | EphemeralContainer)[] {
  return [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
}

/** The names of the containers whose security context a predicate accepts. */
export function containersWhere(
  pod: CheckedPod,
  predicate: (context: SecurityContext, container: Container | EphemeralContainer) => boolean,
): string[] {
  const found = containersOf(pod).filter((container) =>
    predicate(container.securityContext ?? {}, container),
  );
  return found.map(({ name }) => name);
}

/** `container "a"`, or `containers "a", "b"`. */
export function containers(names: readonly string[]): string {
  return `${plural('container', names.length)} ${quoted(names)}`;
}

/** Who sets a value: the pod, some of its containers, or both. */
export function settersOf(isSetByPod: boolean, names: readonly string[]): string {
  return [...(isSetByPod ? ['pod'] : []), ...(names.length > 0 ? [containers(names)] : [])].join(' and ');
}

export function plural(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}

export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

/** The different items, sorted. */
export function distinct(items: readonly string[]): string[] {
  return [...new Set(items)].toSorted();
}

/** Whether root in the pod is another user on the node. */
function isInUserNamespace({ spec }: CheckedPod): boolean {
  return spec.hostUsers === false;
}

/** The same check, but not for Windows, where the fields that it requires are not allowed. */
export function exceptOnWindows(check: Check): Check {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : check(pod));
}

/** The same check, but not for pods in a user namespace. */
export function exceptInUserNamespaces(check: Check): Check {
  return (pod) => (isInUserNamespace(pod) ? undefined : check(pod));
}
