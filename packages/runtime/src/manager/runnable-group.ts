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
  /** Called when a task fails before the group is told to stop. */
  onFailure: (error: unknown) => void;
}

/** What is started together and stopped together. A task that is added late starts at once. */
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

  /** The names of what has not ended yet. */
  get running(): string[] {
    return [...this.#running.values()];
  }

  add(task: Task): void {
    if (this.#context) this.#launch(task, this.#context);
    else this.#waiting.push(task);
  }

  /**
   * Starts what was added; nothing when the group was told to stop before.
   * @param context what the tasks run under. Nothing by default: not what the caller of `add` runs under, who may be a
   *   reconciler that ends long before.
   */
  start(context: WorkContext = {}): void {
    this.#context = context;
    for (const task of this.#waiting.splice(0)) this.#launch(task, context);
  }

  /** Tells everything to stop. */
  abort(reason?: unknown): void {
    this.#stop.abort(reason);
  }

  /** Resolves when everything that runs has ended, by itself or because it was told to. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.keys());
  }

  #launch({ name, start }: Task, context: WorkContext): void {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    const run = (async () => {
      try {
        // In a promise of its own: it may throw before it awaits anything.
        await runInContext(context, async () => start(signal));
      } catch (error) {
        if (!signal.aborted) this.#options.onFailure(error);
        else if (!isAbort(error, signal)) {
          this.#options.logger.error({ err: error, runnable: name }, 'a runnable failed while stopping');
        }
      }
    })();
    this.#running.set(run, name);
    void run.then(() => this.#running.delete(run));
  }
}

/** Whether somebody merely passed on that it was told to stop. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error as Error | undefined)?.name === 'AbortError';
}
