import type { CachedPod } from '../pods/pod-state.ts';

/** The failures of a job since its last success. */
export interface Backoff {
  readonly failures: number;
  /** In milliseconds since 1970; 0 if there are none. */
  readonly lastFailure: number;
}

export const noBackoff: Backoff = { failures: 0, lastFailure: 0 };

const firstDelayMs = 10_000;
const maxDelayMs = 600_000;

/** Adds pods that have ended since the last look. */
export function addToBackoff(
  before: Backoff,
  succeeded: readonly CachedPod[],
  failed: readonly CachedPod[],
): Backoff {
  const lastSuccess = Math.max(...succeeded.map(finishedAt));
  const times = failed.map(finishedAt).filter((time) => time > lastSuccess);
  const start = succeeded.length > 0 ? noBackoff : before;
  if (times.length === 0) return start;
  return { failures: start.failures + times.length, lastFailure: Math.max(...times) };
}

/** How long a pod must not be created yet: 10 s after the first failure, twice as long after each, at most 10 min. */
export function remainingDelay({ failures, lastFailure }: Backoff, now: number): number {
  if (failures === 0) return 0;
  const delay = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
  return Math.max(0, lastFailure + delay - now);
}

/**
 * When a pod ended, in milliseconds since 1970: when its last container did, or else when it stopped being ready, when it was deleted,
 * or when it was created.
 */
export function finishedAt(pod: CachedPod): number {
  const { metadata, status } = pod;
  const ends = endsOfContainers(pod);
  if (ends.length > 0 && ends.every((end) => end !== undefined)) return Math.max(...ends.map(Date.parse));
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime !== undefined)
    return Date.parse(ready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp = '' } = metadata;
  if (deletionTimestamp !== undefined)
    return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Date.parse(creationTimestamp);
}

function endsOfContainers({ spec, status }: CachedPod): (string | undefined)[] {
  const sidecars = new Set(
    spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  return statuses.map(({ state }) => state?.terminated?.finishedAt);
}
