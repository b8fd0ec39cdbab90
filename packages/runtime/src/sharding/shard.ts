import type { Renewals } from './renewals.ts';
import type { ShardLostError } from './shard-errors.ts';

/** A reconcile in a shard. */
export interface ShardWork {
  /** Tells it to end. */
  abort(reason: unknown): unknown;
}

/**
 * A shard that this process owns, from the moment at which its reconciles may start to the end of the last of them. A
 * shard that is lost and owned again is another one: what started before cannot write any more.
 */
export class Shard {
  readonly #renewals: Renewals;
  readonly #onDrained: () => void;
  readonly #work = new Set<ShardWork>();
  #loss: ShardLostError | undefined;

  /** @param onDrained called when it is lost and its last reconcile has ended after that. */
  constructor(renewals: Renewals, onDrained: () => void) {
    this.#renewals = renewals;
    this.#onDrained = onDrained;
  }

  /** Whether another process may own it. */
  get isLost(): boolean {
    return this.#loss !== undefined;
  }

  /** Whether reconciles run in it. */
  get isBusy(): boolean {
    return this.#work.size > 0;
  }

  /**
   * Called right before a write of its reconciles is sent.
   * @throws {ShardLostError} if this process does not own it any more. {ShardUncertainError} if that is unknown.
   */
  fence(): void {
    if (this.#loss) throw this.#loss;
    this.#renewals.fence();
  }

  /** A reconcile begins. */
  enter(work: ShardWork): void {
    this.#work.add(work);
  }

  /** A reconcile has ended. */
  leave(work: ShardWork): void {
    this.#work.delete(work);
    if (this.#loss && !this.isBusy) this.#onDrained();
  }

  /** Closes the fence and aborts the reconciles. The first reason counts. */
  lose(reason: ShardLostError): void {
    if (this.#loss) return;
    this.#loss = reason;
    for (const work of this.#work) work.abort(reason);
  }
}
