import { AsyncResource } from 'node:async_hooks';
import type { Choose, Delivery } from './delivery.ts';
import { drained } from './drained.ts';

interface Pending {
  readonly delivery: Delivery;
  readonly deliver: () => void;
}

/** The deliveries of one request: they arrive in their order. */
export type Exchange = Pending[];

/** Delivers one thing at a time, and lets the code that it wakes run until that waits again. */
export class Deliveries {
  readonly #choose: Choose;
  /** The exchanges with something to deliver, by their next delivery. */
  readonly #ready = new Map<Delivery, Exchange>();
  // The code that happens to add the first delivery must not be the context of all others.
  readonly #context = new AsyncResource('OtsDeliveries');
  #running: Promise<void> | undefined;

  constructor(choose: Choose) {
    this.#choose = choose;
  }

  /** Queues a delivery behind those of the same exchange. */
  add(exchange: Exchange, delivery: Delivery, deliver: () => void): void {
    if (exchange.push({ delivery, deliver }) === 1) this.#ready.set(delivery, exchange);
    this.#running ??= this.#context.runInAsyncScope(() => this.#run());
  }

  /** Forgets what has not been delivered of an exchange. */
  drop(exchange: Exchange): void {
    if (exchange[0]) this.#ready.delete(exchange[0].delivery);
    exchange.length = 0;
  }

  /** Resolves when nothing is left to deliver; undefined if that is so. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  async #run(): Promise<void> {
    for (;;) {
      await drained();
      if (this.#ready.size === 0) break;
      const chosen = this.#choose([...this.#ready.keys()]);
      const exchange = this.#ready.get(chosen)!;
      const { deliver } = exchange.shift()!;
      this.#ready.delete(chosen);
      if (exchange[0]) this.#ready.set(exchange[0].delivery, exchange);
      deliver();
    }
    this.#running = undefined;
  }
}
