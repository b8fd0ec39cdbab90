import type { Lease } from 'ots-kubernetes/coordination/v1';

/**
 * The Lease as it was last seen, and when its record changed. Only that time decides whether it has expired: the times
 * in the Lease come from another machine's clock.
 */
export class ObservedLease {
  #lease: Lease | undefined;
  #record = '';
  #changedAt = Number.NEGATIVE_INFINITY;

  get lease(): Lease | undefined {
    return this.#lease;
  }

  /** The holder; empty if there is none. */
  get holder(): string {
    return this.#lease?.spec?.holderIdentity ?? '';
  }

  /** How often the holder changed. */
  get transitions(): number {
    return this.#lease?.spec?.leaseTransitions ?? 0;
  }

  /** @param now monotonic time. A Lease whose record has not changed keeps its earlier time. */
  see(lease: Lease, now: number): void {
    // Not by resourceVersion: adding a label to the Lease of a dead leader renews nothing.
    const record = JSON.stringify(lease.spec ?? {});
    if (record !== this.#record) this.#changedAt = now;
    this.#record = record;
    this.#lease = lease;
  }

  /** Returns true if the holder, who sets the duration, has renewed the Lease in time. */
  isValid(now: number): boolean {
    const duration = (this.#lease?.spec?.leaseDurationSeconds ?? 0) * 1000;
    return now < this.#changedAt + duration;
  }
}
