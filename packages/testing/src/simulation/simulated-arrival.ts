import type { Arrival } from '../workloads/mirror-of.ts';
import type { Exchange, Pending } from './deliveries.ts';
import type { Delivery } from './delivery.ts';
import type { Channel } from './simulated-exchange.ts';

/** Lets what a server shows to components of the cluster arrive as deliveries: one for each list and each change. */
export class SimulatedArrival implements Arrival, Exchange {
  readonly pending: Pending[] = [];
  readonly #channel: Channel;
  readonly #about: Omit<Delivery, 'kind'>;

  constructor(channel: Channel, resource: string) {
    this.#channel = channel;
    this.#about = { user: 'admin', userAgent: '', verb: 'watch', resource, namespace: '', name: '' };
  }

  list(deliver: () => Promise<void>): void {
    const what = `the list of ${this.#about.resource}`;
    this.#add('response', () => void this.#channel.activities.run(what, deliver));
  }

  event(deliver: () => void): void {
    this.#add('event', deliver);
  }

  drop(): void {
    this.#channel.deliveries.drop(this);
  }

  /** There is no connection. What decides to break it loses what has not arrived, which no test can ask for. */
  break(): void {}

  #add(kind: Delivery['kind'], deliver: () => void): void {
    this.#channel.deliveries.add(this, { ...this.#about, kind }, deliver);
  }
}
