import { TestEnvironmentError } from '../errors/test-environment-error.ts';
import type { Delivery } from './delivery.ts';

/** How often one client may ask for one object at one time. A ReplicaSet of thousands of pods that become ready stays below. */
const maxRequests = 5000;

/** How long a process that has processor time takes from one check to the next at most, in milliseconds: they come every second. */
const maxGapMs = 2000;

/** Notices a cluster that cannot become quiet, however slow the machine is. */
export class QuietWatch {
  readonly #now: () => number;
  readonly #requests = new Map<string, number>();
  #loop: string | undefined;
  #movedAt: number;
  #checkedAt: number;

  /** @param now real time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#movedAt = now();
    this.#checkedAt = now();
  }

  /** Notes a request that was sent. */
  sent({ user, verb, resource, namespace, name }: Omit<Delivery, 'kind'>): void {
    this.moved();
    if (name === '' || verb === 'watch') return;
    const object = `${verb} ${resource} ${namespace && `${namespace}/`}${name} of ${user}`;
    const count = (this.#requests.get(object) ?? 0) + 1;
    this.#requests.set(object, count);
    if (count >= maxRequests) this.#loop = object;
  }

  /** Notes that something has moved: the cluster is slow, but not stuck. */
  moved(): void {
    this.#movedAt = this.#now();
  }

  /** Forgets what was counted: time has passed, or a test waits again. */
  restart(): void {
    this.#requests.clear();
    this.#loop = undefined;
    this.moved();
    this.#checkedAt = this.#movedAt;
  }

  /**
   * @param busy what waits for something outside of the cluster
   * @param limit how long nothing may move meanwhile, in real milliseconds
   * @throws {TestEnvironmentError} when the cluster repeats itself or has been stuck for too long
   */
  check(busy: readonly string[], limit: number): void {
    if (this.#loop !== undefined)
      throw new TestEnvironmentError(
        `The cluster does not become quiet: ${maxRequests} times at the same time: ${this.#loop}`,
        'Look for a reconciler that writes in every reconcile.',
      );
    const now = this.#now();
    const gap = now - this.#checkedAt;
    this.#checkedAt = now;
    // The process had no processor time, so nothing could move.
    if (gap > maxGapMs) this.#movedAt += gap;
    if (now - this.#movedAt < limit) return;
    throw new TestEnvironmentError(
      `The cluster was not quiet after ${limit / 1000} s: ${busy.join('; ') || 'a delivery does not end'}`,
      'Look for a reconciler that waits for something outside of the cluster.',
    );
  }
}
