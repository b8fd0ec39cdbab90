import type { ReconcileRecord } from './reconcile-record.ts';
import type { Debugger } from './registry.ts';

const capacity = 1000;

/** The last thousand reconciles. */
export class ReconcileHistory implements Debugger {
  readonly #records: ReconcileRecord[] = [];
  /** Where the next one goes, and so where the oldest one is. */
  #next = 0;

  ended(record: ReconcileRecord): void {
    this.#records[this.#next] = record;
    this.#next = (this.#next + 1) % capacity;
  }

  /** The newest first. */
  get newestFirst(): ReconcileRecord[] {
    return [...this.#records.slice(this.#next), ...this.#records.slice(0, this.#next)].toReversed();
  }
}
