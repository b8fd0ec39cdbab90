import { AsyncResource } from 'node:async_hooks';
import type { Choice, Choose, Delivery } from './delivery.ts';
import { drained } from './drained.ts';

/** Something on its way. */
export interface Pending {
  readonly delivery: Delivery;
  readonly deliver: () => void;
}

/** The deliveries of one request: they arrive in their order. */
export interface Exchange {
  readonly pending: Pending[];
  /** Breaks the connection. */
  readonly break: () => void;
}

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
    if (exchange.pending.push({ delivery, deliver }) === 1) this.#ready.set(delivery, exchange);
    this.resume();
  }

  /** Forgets what has not been delivered of an exchange. */
  drop({ pending }: Exchange): void {
    if (pending[0]) this.#ready.delete(pending[0].delivery);
    pending.length = 0;
  }

  /** Delivers what is ready, also what was held back before. */
  resume(): void {
    if (this.#ready.size > 0) this.#running ??= this.#context.runInAsyncScope(() => this.#run());
  }

  /** Resolves when nothing is left to deliver, or the rest is held back; undefined if that is so. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  async #run(): Promise<void> {
    for (;;) {
      await drained();
      if (this.#ready.size === 0) break;
      const choice = this.#choose([...this.#ready.keys()]);
      if (!choice) break;
      this.#perform(choice);
    }
    this.#running = undefined;
  }

  #perform(choice: NonNullable<Choice>): void {
    if ('drop' in choice) {
      const broken = this.#ready.get(choice.drop)!;
      this.drop(broken);
      broken.break();
      return;
    }
    const isRepeated = 'repeat' in choice;
    const chosen = isRepeated ? choice.repeat : choice;
    const exchange = this.#ready.get(chosen)!;
    const { deliver } = exchange.pending.shift()!;
    this.#ready.delete(chosen);
    const [next] = exchange.pending;
    if (next) this.#ready.set(next.delivery, exchange);
    deliver();
    // A copy of a request finds its own way. The lines of a stream have an order, and a client takes one response.
    if (isRepeated && chosen.kind === 'request')
      this.add({ pending: [], break: () => {} }, { ...chosen }, deliver);
    else if (isRepeated && chosen.kind === 'event') deliver();
  }
}
