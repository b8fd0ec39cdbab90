import { setMaxListeners } from 'node:events';
import { type WorkContext, runInContext } from '../context/work-context.ts';
import type { Logger } from '../logging/logger.ts';

/** One thing to run in a group. */
export interface Task {
  name: string;
  start: (signal: AbortSignal) => Promise<void>;
}

export interface RunnableGroupOptions {
  logger: Logger;
  /** Called if a task fails before the group is stopped. */
  onFailure: (error: unknown) => void;
}

/** Tasks that start and stop together. A task that is added late starts at once. */
export class RunnableGroup {
  readonly #options: RunnableGroupOptions;
  readonly #waiting: Task[] = [];
  readonly #running = new Map<Promise<void>, string>();
  readonly #stop = new AbortController();
  #context: WorkContext | undefined;

  constructor(options: RunnableGroupOptions) {
    this.#options = options;
    // Every informer and every run may listen; Node would warn of a leak at the eleventh.
    setMaxListeners(0, this.#stop.signal);
  }

  get isStarted(): boolean {
    return this.#context !== undefined;
  }

  /** The names of the tasks that have not ended yet. */
  get running(): string[] {
    return [...this.#running.values()];
  }

  add(task: Task): void {
    if (this.#context) this.#launch(task, this.#context);
    else this.#waiting.push(task);
  }

  /**
   * Starts the added tasks, unless the group was stopped before.
   * @param context the work context of the tasks. Empty by default, not the context of the caller of `add`, which may be
   *   a reconciler that ends much earlier.
   */
  start(context: WorkContext = {}): void {
    this.#context = context;
    for (const task of this.#waiting.splice(0)) this.#launch(task, context);
  }

  /** Tells everything to stop. */
  abort(reason?: unknown): void {
    this.#stop.abort(reason);
  }

  /** Resolves when all running tasks have ended, by themselves or because of the stop. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.keys());
  }

  #launch({ name, start }: Task, context: WorkContext): void {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    const run = (async () => {
      try {
        // In an async function, because it may throw before it awaits anything.
        await runInContext(context, async () => start(signal));
      } catch (error) {
        if (!signal.aborted) this.#options.onFailure(error);
        else if (!isAbort(error, signal)) {
          this.#options.logger.error({ err: error, runnable: name }, 'runnable failed while stopping');
        }
      }
    })();
    this.#running.set(run, name);
    void run.then(() => this.#running.delete(run));
  }
}

/** Whether the error is only the abort of the stop. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error as Error | undefined)?.name === 'AbortError';
}
