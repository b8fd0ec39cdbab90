import type { Clock } from '../../src/clock/clock.ts';
import type { ProxyObserver } from './fault-proxy.ts';
import { type ProxiedRequest, isLease, isWrite } from './proxied-request.ts';

/** Watches what one operator sends, and complains about a write that arrives when its lease may be another's. */
export class LeaseWitness implements ProxyObserver {
  readonly #clock: Clock;
  readonly #complaints: string[];
  readonly #begun = new WeakMap<ProxiedRequest, number>();
  /** When the latest renewal that the server took arrived there, by the clock of the operator. */
  #renewedAt: number | undefined;
  #leaseDuration = 0;

  /** @param complaints to add to. */
  constructor(clock: Clock, complaints: string[]) {
    this.#clock = clock;
    this.#complaints = complaints;
  }

  /** When the lease was renewed last; undefined when it is not held. */
  get renewedAt(): number | undefined {
    return this.#renewedAt;
  }

  /** A request goes on to the server. */
  passed(request: ProxiedRequest): void {
    this.#begun.set(request, this.#clock.now());
    if (!isWrite(request) || isLease(request) || isOfEvents(request)) return;
    const age = this.#clock.now() - (this.#renewedAt ?? Number.NEGATIVE_INFINITY);
    if (age < this.#leaseDuration) return;
    this.#complaints.push(
      `${request.method} ${request.url.pathname} came ${age} ms after the lease was renewed`,
    );
  }

  /** The server has answered it. */
  answered(request: ProxiedRequest, body: Buffer, status: number): void {
    if (!isLease(request) || !isWrite(request) || status >= 300) return;
    const { spec } = JSON.parse(String(body)) as {
      spec: { holderIdentity: string; leaseDurationSeconds: number };
    };
    this.#renewedAt = spec.holderIdentity === '' ? undefined : this.#begun.get(request);
    this.#leaseDuration = spec.leaseDurationSeconds * 1000;
  }
}

/** What was recorded is told whoever leads by now. */
const isOfEvents = ({ url }: ProxiedRequest): boolean => url.pathname.includes('/events');
