import type { Clock } from 'ots-apimachinery/clock/clock';
import type { ProxyObserver } from './fault-proxy.ts';
import { type ProxiedRequest, isLease, isWrite } from './proxied-request.ts';

/** Watches what one operator sends, and complains about a write that arrives when another operator may hold the lease. */
export class LeaseWitness implements ProxyObserver {
  readonly #clock: Clock;
  readonly #complaints: string[];
  readonly #begun = new WeakMap<ProxiedRequest, number>();
  /** When the latest successful renewal arrived at the server, by the clock of the operator. */
  #renewedAt: number | undefined;
  #leaseDuration = 0;

  /** @param complaints receives the complaints */
  constructor(clock: Clock, complaints: string[]) {
    this.#clock = clock;
    this.#complaints = complaints;
  }

  /** When the operator last renewed the lease; undefined if it does not hold it. */
  get renewedAt(): number | undefined {
    return this.#renewedAt;
  }

  /** Checks a request that the proxy forwards. */
  passed(request: ProxiedRequest): void {
    this.#begun.set(request, this.#clock.now());
    if (!isWrite(request) || isLease(request) || isOfEvents(request)) return;
    const age = this.#clock.now() - (this.#renewedAt ?? Number.NEGATIVE_INFINITY);
    if (age < this.#leaseDuration) return;
    this.#complaints.push(
      `${request.method} ${request.url.pathname} came ${age} ms after the lease was renewed`,
    );
  }

  /** Records the renewals that succeed. */
  responded(request: ProxiedRequest, body: Buffer, status: number): void {
    if (!isLease(request) || !isWrite(request) || status >= 300) return;
    const { spec } = JSON.parse(String(body)) as {
      spec: { holderIdentity: string; leaseDurationSeconds: number };
    };
    this.#renewedAt = spec.holderIdentity === '' ? undefined : this.#begun.get(request);
    this.#leaseDuration = spec.leaseDurationSeconds * 1000;
  }
}

/** Recorded events may also be sent after the leadership is lost. */
const isOfEvents = ({ url }: ProxiedRequest): boolean => url.pathname.includes('/events');
