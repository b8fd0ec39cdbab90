import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';

/** Between two looks at the cluster, in milliseconds. */
const interval = 100;

/** A time limit for several steps together. */
export class Deadline {
  readonly #end: number;
  readonly #timeout: number;

  /** @param timeout from now on, in milliseconds */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.#end = performance.now() + timeout;
  }

  /** In milliseconds; 0 when the time is up. */
  get left(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /** The whole time, for error messages: `3 s`. */
  toString(): string {
    const timeout = this.#timeout;
    return timeout < 1000 ? `${timeout} ms` : `${Math.round(timeout / 1000)} s`;
  }
}

/**
 * Looks at the cluster again and again.
 *
 * @param probe runs at least once; returns undefined to look again; its errors end the wait
 * @returns the first result of the probe; undefined when the time is up
 * @throws the reason of the cluster's signal when it aborts
 */
export async function poll<T>(
  { signal }: Cluster,
  deadline: Deadline,
  probe: () => Promise<T | undefined>,
): Promise<T | undefined> {
  for (;;) {
    const result = await probe();
    const { left } = deadline;
    if (result !== undefined || left === 0) return result;
    await sleep(Math.min(interval, left), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/**
 * Does something with every item at the same time.
 *
 * @returns the results in the order of the items, without those that failed, and the first failure
 */
export async function each<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<{ results: Result[]; failure?: { error: unknown } }> {
  const settled = await Promise.allSettled(items.map(work));
  const results = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const rejected = settled.find((one) => one.status === 'rejected');
  return rejected ? { results, failure: { error: rejected.reason } } : { results };
}
