import type { Leadership } from '../leader-election/leadership.ts';
import type { Runnable } from './runnable.ts';
import { RunnableGroup, type RunnableGroupOptions } from './runnable-group.ts';

/** The runnables of a manager: those on every replica, the warm-ups, and those on the leader. */
export class Work {
  readonly #others: RunnableGroup;
  readonly #warmUps: RunnableGroup;
  readonly #elected: RunnableGroup;

  constructor(options: RunnableGroupOptions) {
    this.#others = new RunnableGroup(options);
    this.#warmUps = new RunnableGroup(options);
    this.#elected = new RunnableGroup(options);
  }

  /** Adds a runnable. It starts at once if its group has started. */
  add(runnable: Runnable): void {
    const name = nameOf(runnable);
    const task = { name, start: (signal: AbortSignal) => runnable.start(signal) };
    if (runnable.needsLeaderElection === false) {
      this.#others.add(task);
      return;
    }
    if (runnable.warmUp && !this.#elected.isStarted) {
      this.#warmUps.add({ name: `${name} (warm-up)`, start: async (signal) => runnable.warmUp?.(signal) });
    }
    this.#elected.add(task);
  }

  /** Starts the runnables of every replica. */
  startOthers(): void {
    this.#others.start();
  }

  /** Resolves when all warm-ups are done or stopped. */
  async warmUp(): Promise<void> {
    this.#warmUps.start();
    await this.#warmUps.ended();
  }

  /**
   * Starts the runnables that need leadership.
   * @param leadership stops all of them at once when it ends, and fences their writes; undefined without election.
   */
  lead(leadership: Leadership | undefined): void {
    if (!leadership) {
      this.#elected.start();
      return;
    }
    const { signal } = leadership;
    const stop = (): void => this.#elected.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    this.#elected.start({ signal, fence: () => leadership.fence() });
  }

  /** Stops the runnables of every replica, then those that need leadership, which never start after this. */
  async stop(): Promise<void> {
    // At the same time as the others: one may hold what another waits for.
    this.#warmUps.abort();
    this.#others.abort();
    await this.#others.ended();
    this.#elected.abort();
    await Promise.all([this.#elected.ended(), this.#warmUps.ended()]);
  }

  /** Stops everything at once, in no particular order. */
  abort(): void {
    for (const group of this.#groups) group.abort();
  }

  /** The names of the runnables that have not ended yet. */
  get running(): string[] {
    return this.#groups.flatMap((group) => group.running);
  }

  get #groups(): RunnableGroup[] {
    return [this.#others, this.#warmUps, this.#elected];
  }
}

function nameOf(runnable: Runnable): string {
  if (runnable.name) return runnable.name;
  const className = runnable.constructor.name;
  return className === 'Object' ? 'an unnamed runnable' : className;
}
