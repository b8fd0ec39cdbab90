import type { Clock } from 'ots-apimachinery/clock/clock';
import { ShortWatchError } from './watch-failure.ts';

/** Why lists or watches fail, and since when in monotonic milliseconds. */
export interface ReflectorFailure {
  error: unknown;
  since: number;
}

/** A watch that ends sooner counts as a failure: reconnecting immediately would be a hot loop. In milliseconds. */
const suspiciouslyShort = 1000;

/** Whether lists and watches of one collection work. */
export class ReflectorHealth {
  readonly #clock: Clock;
  #openedAt: number | undefined;
  #hasDelivered = false;
  #failure: ReflectorFailure | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined while lists and watches work. A watch that stays open works, whether or not anything happens. */
  get failure(): ReflectorFailure | undefined {
    return this.#isOpen() ? undefined : this.#failure;
  }

  /** Whether a watch is open that works: it has delivered a change, or did not end at once. */
  get isWatching(): boolean {
    return this.#openedAt !== undefined && (this.#hasDelivered || this.#isOpen());
  }

  /** The server has accepted a watch. */
  opened(): void {
    this.#openedAt = this.#clock.now();
    this.#hasDelivered = false;
  }

  /** The open watch has delivered a change. */
  delivered(): void {
    this.#hasDelivered = true;
  }

  /** A list or an event has arrived. */
  heard(): void {
    this.#failure = undefined;
  }

  /**
   * A watch has ended normally.
   * @throws {ShortWatchError} if it had just started.
   */
  ended(): void {
    if (!this.#isOpen()) throw new ShortWatchError();
    this.#openedAt = undefined;
    this.#failure = undefined;
  }

  /** A list or a watch has failed. The failure begins with the first of several in a row. */
  failed(error: unknown): ReflectorFailure {
    const { since } = this.failure ?? { since: this.#clock.now() };
    this.#openedAt = undefined;
    this.#failure = { error, since };
    return this.#failure;
  }

  #isOpen(): boolean {
    return this.#openedAt !== undefined && this.#clock.now() - this.#openedAt >= suspiciouslyShort;
  }
}
