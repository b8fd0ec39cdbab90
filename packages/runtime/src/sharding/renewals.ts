import type { Clock } from 'ots-apimachinery/clock/clock';
import { type Moment, momentOf } from '../leader-election/leadership.ts';
import { ShardUncertainError } from './shard-errors.ts';

/** How long ago a member renewed its Lease, which is the fence of all its writes. */
export class Renewals {
  readonly #clock: Clock;
  readonly #renewDeadline: number;
  #last: Moment = { now: Number.NEGATIVE_INFINITY, epoch: Number.NEGATIVE_INFINITY };

  constructor(clock: Clock, renewDeadline: number) {
    this.#clock = clock;
    this.#renewDeadline = renewDeadline;
  }

  /** @param begun when the request that renewed the Lease started: the server may have received it at once. */
  renewed(begun: Moment): void {
    this.#last = begun;
  }

  /** How old the last renewal is, in milliseconds; by the wall clock if the machine was suspended meanwhile. */
  get age(): number {
    const { now, epoch } = momentOf(this.#clock);
    return Math.max(now - this.#last.now, epoch - this.#last.epoch);
  }

  /**
   * Called right before a write is sent.
   * @throws {ShardUncertainError} if the Lease was not renewed in time. A clock that was merely set has the same effect,
   *   and only costs a wait for the next renewal.
   */
  fence(): void {
    const { age } = this;
    if (age >= this.#renewDeadline) throw new ShardUncertainError(age);
  }
}
