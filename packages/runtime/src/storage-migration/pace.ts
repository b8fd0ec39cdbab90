import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';

/** Requests per second. */
const firstRate = 100;
const minRate = 1;
const maxRate = 500;
/** How much faster it becomes in each second without a refusal, in requests per second. */
const growth = 10;
/** How long to wait for more important work before one more request, and between looks at it; in milliseconds. */
const maxYieldMs = 1000;
const yieldPollMs = 50;

/**
 * How fast to send requests that can wait. It becomes slower when the server is overloaded, like the congestion control
 * of TCP: each response 429 or 5xx halves the rate, and the others raise it slowly.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #isBusy: () => boolean;
  #rate = firstRate;
  /** When the next request may be sent, in milliseconds of the clock. */
  #next = Number.NEGATIVE_INFINITY;

  /** @param isBusy whether more important work waits. */
  constructor(clock: Clock, isBusy: () => boolean) {
    this.#clock = clock;
    this.#isBusy = isBusy;
  }

  /** Requests per second. */
  get rate(): number {
    return this.#rate;
  }

  /** The server has responded to a request, which it may ask to repeat. @param status of HTTP. */
  responded(status: number): void {
    if (status === 429 || status >= 500) this.#rate = Math.max(minRate, this.#rate / 2);
    else this.#rate = Math.min(maxRate, this.#rate + growth / this.#rate);
  }

  /**
   * Resolves when the next request may be sent: at the rate, and while more important work waits once per second, so
   * work that never ends does not stop it.
   * @throws the signal's reason when it aborts.
   */
  async turn(signal: AbortSignal | undefined): Promise<void> {
    const latest = this.#clock.now() + maxYieldMs;
    await this.#until(this.#next, signal);
    while (this.#isBusy() && this.#clock.now() < latest) {
      await this.#until(Math.min(this.#clock.now() + yieldPollMs, latest), signal);
    }
    this.#next = this.#clock.now() + 1000 / this.#rate;
  }

  async #until(time: number, signal: AbortSignal | undefined): Promise<void> {
    const left = time - this.#clock.now();
    if (left > 0) await sleep(this.#clock, left, signal);
    signal?.throwIfAborted();
  }
}
