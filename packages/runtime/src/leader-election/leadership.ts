import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock/clock.ts';
import { LeadershipLostError, LeadershipUncertainError } from './leadership-errors.ts';

/** A moment by both clocks. */
export interface Moment {
  /** Monotonic, in milliseconds. */
  readonly now: number;
  /** The time of day, in milliseconds since 1970. */
  readonly epoch: number;
}

export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), epoch: clock.epoch() };
}

/**
 * One term of a leader, from its acquisition to its end, and the fence around the work that needs it.
 *
 * Others take over no sooner than a lease duration after they saw the last renewal, which they cannot have seen before
 * it was sent. So until `renewDeadline` after the start of the last successful renewal, no other replica leads. What
 * the fence lets through then has `leaseDuration - renewDeadline` to reach the server. A request that takes longer than
 * that on its way, and a process that is frozen between the check and the system call that sends, are beyond any check
 * in the process: writes that carry the `resourceVersion` they were based on are refused by the server then.
 */
export class Leadership {
  readonly #clock: Clock;
  readonly #renewDeadline: number;
  readonly #over = new AbortController();
  #renewed: Moment;
  #timer: unknown;

  /** @param acquired when the request that acquired the lease was begun. */
  constructor(clock: Clock, renewDeadline: number, acquired: Moment) {
    this.#clock = clock;
    this.#renewDeadline = renewDeadline;
    this.#renewed = acquired;
    // Every piece of leader-elected work may listen.
    setMaxListeners(0, this.#over.signal);
    this.renewed(acquired);
  }

  /** Aborts when the term is over, with a LeadershipLostError. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** When the last successful renewal was begun, monotonic. */
  get renewedAt(): number {
    return this.#renewed.now;
  }

  /** @param begun when the request that renewed the lease was begun: the server may have seen it at once. */
  renewed(begun: Moment): void {
    if (this.#over.signal.aborted) return;
    this.#renewed = begun;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(
      () => this.isOver(),
      begun.now + this.#renewDeadline - this.#clock.now(),
    );
  }

  /** Whether the term is over; ends it when it was not renewed in time, as after the event loop was blocked. */
  isOver(): boolean {
    if (!this.#over.signal.aborted && this.#clock.now() - this.#renewed.now >= this.#renewDeadline) {
      this.end(new LeadershipLostError(`it was not renewed within ${this.#renewDeadline / 1000} s`));
    }
    return this.#over.signal.aborted;
  }

  /**
   * Called right before a write leaves.
   * @throws {LeadershipLostError} when the term is over. {LeadershipUncertainError} when the machine seems to have been
   *   suspended: monotonic clocks may stand still meanwhile. A clock that was merely set has the same effect, and
   *   costs no more than a wait for the next renewal.
   */
  fence(): void {
    if (this.isOver()) throw this.#over.signal.reason;
    const moved = this.#clock.epoch() - this.#renewed.epoch;
    if (moved >= this.#renewDeadline) throw new LeadershipUncertainError(moved);
  }

  /** Ends the term; the first reason stays. */
  end(reason: LeadershipLostError): void {
    this.#clock.clearTimeout(this.#timer);
    this.#over.abort(reason);
  }
}
