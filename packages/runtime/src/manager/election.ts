import type { ConnectedElector } from '../leader-election/create-elector.ts';
import type { Leadership } from '../leader-election/leadership.ts';

export interface ElectionOptions extends ConnectedElector {
  /** Called once, when this replica becomes the leader. */
  onElected: (leadership: Leadership) => void;
  /** Called when this replica loses the leadership. */
  onLost: (error: unknown) => void;
}

/** The leader election of a manager, from its start to the very end of its stop. */
export class Election {
  readonly #options: ElectionOptions;
  readonly #stopKeeping = new AbortController();
  #leadership: Leadership | undefined;
  #run: Promise<void> | undefined;

  constructor(options: ElectionOptions) {
    this.#options = options;
  }

  /** Why this replica cannot lead until an administrator fixes something; undefined when it can. */
  get problem(): string | undefined {
    return this.#options.elector.problem;
  }

  /**
   * Called right before a write of leader-elected work is sent. Such work runs only while this replica leads.
   * @throws {LeadershipLostError} if this replica no longer leads. {LeadershipUncertainError} if that is unknown.
   */
  fence(): void {
    this.#leadership?.fence();
  }

  /** @param stopping a stopping replica no longer becomes the leader. */
  start(stopping: AbortSignal): void {
    this.#run = this.#compete(stopping);
  }

  /**
   * Ends the election. It renews the lease until this call, while the work ends.
   * @param release whether to release the lease; false if work may still be running.
   */
  async stop(release: boolean): Promise<void> {
    const { elector, close } = this.#options;
    this.#stopKeeping.abort();
    // Before the run ends, because ending it cancels a renewal that waits for its response.
    if (!release && this.#leadership?.isOver() === false) elector.abandon(this.#leadership);
    await this.#run;
    if (this.#leadership?.isOver() === false) await elector.release(this.#leadership);
    await close();
  }

  async #compete(stopping: AbortSignal): Promise<void> {
    const { elector, onElected, onLost } = this.#options;
    try {
      this.#leadership = await elector.acquire(stopping);
      if (!this.#leadership || stopping.aborted) return;
      onElected(this.#leadership);
      await elector.keep(this.#leadership, this.#stopKeeping.signal);
    } catch (error) {
      onLost(error);
    }
  }
}
