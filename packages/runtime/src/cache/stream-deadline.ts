import type { Clock } from 'ots-apimachinery/clock/clock';
import { SlowStreamError } from './watch-failure.ts';

/** Some servers and proxies never send the end of the initial events (k9s#4186). */
const limit = 60_000;

/** The time limit for all attempts together to read the initial state as a stream. */
export class StreamDeadline {
  readonly #clock: Clock;
  #since: number | undefined;
  #timer: unknown;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Starts an attempt. `expired` is called with a SlowStreamError unless `met` or `stop` is called in time. */
  start(expired: (error: SlowStreamError) => void): void {
    const now = this.#clock.now();
    this.#since ??= now;
    const left = Math.max(0, this.#since + limit - now);
    this.#timer = this.#clock.setTimeout(() => expired(new SlowStreamError()), left);
  }

  /** The state is complete; the next one has the full time again. */
  met(): void {
    this.stop();
    this.#since = undefined;
  }

  /** The attempt is over. */
  stop(): void {
    this.#clock.clearTimeout(this.#timer);
  }
}
