import { setMaxListeners } from 'node:events';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { LeadershipLostError, LeadershipUncertainError } from './leadership-errors.ts';

/** A moment on both clocks. */
export interface Moment {
  /** Monotonic, in milliseconds. */
  readonly now: number;
  /** Wall-clock time, in milliseconds since 1970. */
  readonly epoch: number;
}

export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), epoch: clock.epoch() };
}

/**
 * One term of a leader, from acquiring the lease to the end, and the fence around the work that needs it.
 *
 * Other replicas take over no sooner than one lease duration after they saw the last renewal, and they cannot see it
 * before it was sent. So no other replica leads until `renewDeadline` after the start of the last successful renewal. A
 * write that passes the fence then has `leaseDuration - renewDeadline` to reach the server. No check in the process can
 * stop a request that takes longer than that, or a process that freezes between the check and the system call that
 * sends: in these cases the server refuses writes that carry the `resourceVersion` they were based on.
 */
export class Leadership {
  readonly #clock: Clock;
  readonly #renewDeadline: number;
  readonly #over = new AbortController();
  #renewed: Moment;
  #timer: unknown;

  /** @param acquired when the request that acquired the lease started. */
  constructor(clock: Clock, renewDeadline: number, acquired: Moment) {
    this.#clock = clock;
    this.#renewDeadline = renewDeadline;
    this.#renewed = acquired;
    // All leader-elected work may listen.
    setMaxListeners(0, this.#over.signal);
    this.renewed(acquired);
  }

  /** Aborts when the term is over, with a LeadershipLostError. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** When the last successful renewal started, monotonic. */
  get renewedAt(): number {
    return this.#renewed.now;
  }

  /** @param begun when the request that renewed the lease started: the server may have received it at once. */
  renewed(begun: Moment): void {
    if (this.#over.signal.aborted) return;
    this.#renewed = begun;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(
      () => this.isOver(),
      begun.now + this.#renewDeadline - this.#clock.now(),
    );
  }

  /** Returns true when the term is over. Ends it if it was not renewed in time, for example in a blocked event loop. */
  isOver(): boolean {
    if (!this.#over.signal.aborted && this.#clock.now() - this.#renewed.now >= this.#renewDeadline) {
      this.end(new LeadershipLostError(`it was not renewed within ${this.#renewDeadline / 1000} s`));
    }
    return this.#over.signal.aborted;
  }

  /**
   * Called right before a write is sent.
   * @throws {LeadershipLostError} when the term is over. {LeadershipUncertainError} when the machine may have been
   *   suspended: a monotonic clock may stop during that time. A clock that was merely set has the same effect, and
   *   only costs a wait for the next renewal.
   */
  fence(): void {
    if (this.isOver()) throw this.#over.signal.reason;
    const moved = this.#clock.epoch() - this.#renewed.epoch;
    if (moved >= this.#renewDeadline) throw new LeadershipUncertainError(moved);
  }

  /** Ends the term. The first reason counts. */
  end(reason: LeadershipLostError): void {
    this.#clock.clearTimeout(this.#timer);
    this.#over.abort(reason);
  }
}
