import type { Fault, Faults } from 'ots-apiserver';
import { type FaultedRequests, selectionOf } from './faulted-requests.ts';
import { type TestFaultEffect, effectOf, verbsOf } from './test-fault-effect.ts';

/** A fault as a test asked for it. */
export interface RequestedFault {
  readonly requests: FaultedRequests;
  readonly effect: TestFaultEffect;
}

/** Makes the server of a test environment fail. */
export class TestFaults {
  readonly #faults: Faults;
  readonly #requested = new Map<Fault, RequestedFault>();

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  /**
   * Adds a fault, after those that exist. A request that several select is changed by all of them in this order, up to the first that
   * prevents an answer. Requests must be allowed to come so far: RBAC refuses others first.
   *
   * ```ts
   * using fault = environment.faults.add({ verbs: ['update'], times: 1 }, { answer: 'Conflict' });
   * ```
   *
   * @returns the fault, which counts its `hits` and ends with `remove()`, or at the end of a block with `using`
   * @throws {TestEnvironmentError} for what is not a fault, and for requests that never arrive, such as those for a resource that the
   *   server does not serve; {UsageError} (of ots-runtime) for what is not a duration
   */
  add(requests: FaultedRequests, effect: TestFaultEffect): Fault {
    const checked = effectOf(effect);
    const fault = this.#faults.add(selectionOf(requests, verbsOf(effect), this.#faults), checked);
    this.#requested.set(fault, { requests, effect });
    return fault;
  }

  /**
   * The faults since the start, or since {@link clear}, that have changed no request, in the order in which they were added. Removed
   * ones count, too: a test that expects none knows that each of its faults happened.
   *
   * ```ts
   * expect(environment.faults.unused()).toEqual([]);
   * ```
   */
  unused(): RequestedFault[] {
    return [...this.#requested].filter(([{ hits }]) => hits === 0).map(([, requested]) => requested);
  }

  /**
   * Forgets the history like a compaction of etcd: every watch ends with an ERROR event (410), none resumes from before, and no page
   * of a list continues.
   */
  compact(): void {
    this.#faults.compact();
  }

  /** Removes all faults, and forgets which were unused: what waits goes on, and watches that are half open break. */
  clear(): void {
    this.#faults.clear();
    this.#requested.clear();
  }
}
