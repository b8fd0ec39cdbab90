import { type CachedPod, isPodActive, isPodReady, readySince } from './pod-state.ts';

/** Compares two pods: negative if the first is to be deleted before the second. */
type Compare = (a: CachedPod, b: CachedPod) => number;

/**
 * The pods in the order in which a controller deletes them: first those that have done the least, as in the documentation of
 * ReplicaSet ("Scaling a ReplicaSet"). Those that are equal keep their order.
 *
 * @param related the pods of all controllers that work together: one of several on a node is deleted first
 * @param now in milliseconds since 1970
 */
export function inDeletionOrder(
  pods: readonly CachedPod[],
  related: readonly CachedPod[],
  now: number,
): CachedPod[] {
  const onNode = countByNode(related.filter(isPodActive));
  const comparisons: Compare[] = [
    ascending((pod) => Number(isAssigned(pod))),
    ascending(({ status }) => Math.max(0, phases.indexOf(status?.phase ?? ''))),
    ascending((pod) => Number(isPodReady(pod))),
    ascending(deletionCost),
    ascending((pod) => -(onNode.get(nodeOf(pod)) ?? 0)),
    (a, b) => (isPodReady(a) && isPodReady(b) ? newerFirst(a, b, readySince, now) : 0),
    ascending((pod) => -maxRestarts(pod.status?.containerStatuses)),
    ascending((pod) => -maxSidecarRestarts(pod)),
    (a, b) => newerFirst(a, b, createdAt, now),
  ];
  return pods.toSorted((a, b) => {
    for (const compare of comparisons) {
      const result = compare(a, b);
      if (result !== 0) return result;
    }
    return 0;
  });
}

/** Any other phase counts as the first. */
const phases = ['Pending', 'Unknown', 'Running'];

function ascending(value: (pod: CachedPod) => number): Compare {
  return (a, b) => value(a) - value(b);
}

function nodeOf({ spec }: CachedPod): string {
  return spec?.nodeName ?? '';
}

function isAssigned(pod: CachedPod): boolean {
  return nodeOf(pod) !== '';
}

function countByNode(pods: readonly CachedPod[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const pod of pods) counts.set(nodeOf(pod), (counts.get(nodeOf(pod)) ?? 0) + 1);
  return counts;
}

/** Of the annotation, which the server lets be a 32-bit integer only. */
function deletionCost({ metadata }: CachedPod): number {
  return Number(metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0);
}

function maxRestarts(statuses: readonly { readonly restartCount: number }[] = []): number {
  return Math.max(0, ...statuses.map(({ restartCount }) => restartCount));
}

function maxSidecarRestarts({ spec, status }: CachedPod): number {
  const sidecars = new Set(
    spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  return maxRestarts(status?.initContainerStatuses?.filter(({ name }) => sidecars.has(name)));
}

function createdAt({ metadata }: CachedPod): number | undefined {
  return metadata.creationTimestamp === undefined ? undefined : Date.parse(metadata.creationTimestamp);
}

/**
 * Compares ages by their order of magnitude. Within one, the uid decides: the choice shall look random. A pod without a time counts as
 * the newest.
 */
function newerFirst(
  a: CachedPod,
  b: CachedPod,
  time: (pod: CachedPod) => number | undefined,
  now: number,
): number {
  const [timeOfA, timeOfB] = [time(a), time(b)];
  if (timeOfA === timeOfB) return 0;
  if (timeOfA === undefined || timeOfB === undefined) return timeOfA === undefined ? -1 : 1;
  const difference = magnitude(now - timeOfA) - magnitude(now - timeOfB);
  return difference !== 0 ? difference : a.metadata.uid! < b.metadata.uid! ? -1 : 1;
}

/** Of a time in milliseconds; Kubernetes counts nanoseconds. */
function magnitude(age: number): number {
  return age > 0 ? Math.trunc(Math.log2(age * 1e6)) : -1;
}
