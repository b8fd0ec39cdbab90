import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';

/** Between two looks at the cluster, in milliseconds. */
const interval = 100;

/**
 * Looks at the cluster again and again.
 *
 * @param timeout in milliseconds; the probe runs at least once
 * @param probe returns undefined to look again; its errors end the wait
 * @returns the first result of the probe; undefined when the time is up
 * @throws the reason of the cluster's signal when it aborts
 */
export async function poll<T>(
  { signal }: Cluster,
  timeout: number,
  probe: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = performance.now() + timeout;
  for (;;) {
    const result = await probe();
    if (result !== undefined || performance.now() >= end) return result;
    await sleep(Math.min(interval, Math.max(0, end - performance.now())), undefined, { signal }).catch(() =>
      signal.throwIfAborted(),
    );
  }
}

/** A time in an error message. @param milliseconds rounded to seconds from one second on */
export function timeText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} s`;
}
