import { setMaxListeners } from 'node:events';
import { CacheSyncError } from '../cache/cache-errors.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { containRejections } from '../context/contain-rejections.ts';
import { runInContext } from '../context/work-context.ts';
import type { Logger } from '../logging/logger.ts';
import type { Cause } from '../reasons/cause.ts';
import { untilAborted } from '../signals/until-aborted.ts';
import type { Request } from './reconciler.ts';
import type { EnqueueFunction, EnqueueOptions, Source, SourceContext } from './source.ts';

/** A watch of a controller, which ends when it is disposed of. */
export interface WatchRegistration extends Disposable {
  /**
   * Resolves when the requests for all existing objects are queued, or when the watch ends earlier. Rejects if the
   * source fails to start, which ends the watch, or if it takes longer than `cacheSyncTimeout`, which does not.
   */
  readonly synced: Promise<void>;
}

export interface SourceSetOptions {
  enqueue: (request: Request, options: EnqueueOptions | undefined, cause: Cause) => void;
  /** How long a source may take to deliver the existing objects, in milliseconds. */
  syncTimeout: number;
  /** What sources wait by. */
  clock: Clock;
  /** Times their start. */
  networkClock: Clock;
  logger: Logger;
  /** Throws if the process must no longer write; see WorkContext. */
  fence?: (() => void) | undefined;
}

interface Member {
  source: Source;
  stop: AbortController;
  settle: { resolve: () => void; reject: (error: unknown) => void };
  synced: Promise<void>;
}

/** The sources of one controller: started together, and from then on one by one as they are added. */
export class SourceSet {
  readonly #options: SourceSetOptions;
  readonly #members = new Set<Member>();
  /** Aborts when all are stopped; removes the listeners of `start`. */
  readonly #ended = new AbortController();
  /** How many were ever added: as many members as before may be others. */
  #additions = 0;
  #isStarted = false;
  /** While they run, and so from before the first run: a promise that a source forgets must not end the process. */
  #containment: Disposable | undefined;

  constructor(options: SourceSetOptions) {
    this.#options = options;
  }

  /** Adds a source, which starts with the others, or at once when they have started. */
  add(source: Source): WatchRegistration {
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    let settle!: Member['settle'];
    const synced = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject };
    });
    // A caller that adds a source does not have to wait for it.
    synced.catch(() => {});
    const member: Member = { source, stop, settle, synced };
    this.#members.add(member);
    this.#additions += 1;
    if (this.#ended.signal.aborted) {
      stop.abort();
      settle.resolve();
    }
    if (this.#isStarted) {
      void this.#launch(member);
      synced.catch((error: unknown) =>
        this.#options.logger.error({ err: error, source: source.name }, 'watch did not start'),
      );
    }
    return {
      synced,
      [Symbol.dispose]: () => {
        this.#members.delete(member);
        stop.abort();
        settle.resolve();
      },
    };
  }

  /**
   * Starts the sources, once, and resolves when all have delivered what is there, or the signal aborts. They run until
   * the signal of any call aborts, or one of them fails.
   * @throws what a source failed with; {CacheSyncError} when one takes too long.
   */
  async start(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.stop(signal.reason);
    signal.addEventListener('abort', stop, { once: true, signal: this.#ended.signal });
    if (signal.aborted) return this.stop(signal.reason);
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.#containment = containRejections();
      for (const member of this.#members) void this.#launch(member);
    }
    try {
      // Those that are added while the first are starting belong to them.
      for (let waitedFor = -1; waitedFor < this.#additions;) {
        waitedFor = this.#additions;
        await Promise.all([...this.#members].map(({ synced }) => synced));
      }
    } catch (error) {
      this.stop(error);
      throw error;
    }
  }

  /**
   * Queues again what is there: the objects that requests name, or everything if no source has those.
   * @param isWanted tests the objects that requests name.
   */
  requeue(isWanted: (request: Request) => boolean): void {
    const sources = [...this.#members].map(({ source }) => source);
    const primary = sources.filter(({ isPrimary }) => isPrimary);
    for (const source of primary.length > 0 ? primary : sources) source.requeue?.(isWanted);
  }

  /** Whether a source watches a kind. */
  watches(group: string, plural: string): boolean {
    return [...this.#members].some(({ source: { kind } }) => kind?.group === group && kind.plural === plural);
  }

  /** The names of those that have events which are not requests yet. */
  get mapping(): string[] {
    return [...this.#members].filter(({ source }) => source.isMapping?.()).map(({ source }) => source.name);
  }

  /** Stops all sources, for good. */
  stop(reason?: unknown): void {
    if (this.#ended.signal.aborted) return;
    // One for all: each call of abort would make its own, with a stack.
    const why = reason ?? new DOMException('The sources were stopped', 'AbortError');
    this.#ended.abort(why);
    this.#containment?.[Symbol.dispose]();
    for (const { stop, settle } of this.#members) {
      stop.abort(why);
      settle.resolve();
    }
  }

  async #launch({ source, stop, settle }: Member): Promise<void> {
    const { clock, networkClock, fence, syncTimeout } = this.#options;
    const { signal } = stop;
    const onStrayRejection = (error: unknown): void =>
      context.logger.error({ err: error }, 'a promise that the source did not await was rejected');
    const cause: Cause = { type: 'source', source: source.name };
    const enqueue: EnqueueFunction = (request, options) =>
      this.#options.enqueue(request, options, options?.cause ?? cause);
    const context = contextOf(source, this.#options.logger, { enqueue, signal, clock });
    const deadline = networkClock.setTimeout(
      () => settle.reject(tooLate(source.name, syncTimeout)),
      syncTimeout,
    );
    try {
      if (!signal.aborted) {
        // In its own context: the caller may be a reconcile that ends long before the watch.
        const start = () => source.start(context);
        await Promise.race([runInContext({ signal, fence, onStrayRejection }, start), untilAborted(signal)]);
      }
      settle.resolve();
    } catch (error) {
      settle.reject(error);
      // What it has opened until then ends.
      stop.abort(error);
    } finally {
      networkClock.clearTimeout(deadline);
    }
  }
}

/** Most sources have nothing to say: the logger is made for the first line. */
function contextOf({ name }: Source, base: Logger, context: Omit<SourceContext, 'logger'>): SourceContext {
  let logger: Logger | undefined;
  return {
    ...context,
    get logger() {
      return (logger ??= base.child({ source: name }));
    },
  };
}

function tooLate(name: string, timeout: number): CacheSyncError {
  return new CacheSyncError(
    `The watch on ${name} did not sync within ${timeout / 1000} s`,
    'Install the CRD, grant list and watch on the kind to the operator, or raise cacheSyncTimeout.',
  );
}
