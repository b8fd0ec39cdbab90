import type { Clock } from '../clock/clock.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import { keyText } from '../objects/object-key.ts';
import type { QueueObserver } from '../queue/queue-observer.ts';
import { WorkQueue } from '../queue/work-queue.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { type ControllerOptions, checkOptions } from './controller-options.ts';
import { HotLoops } from './hot-loops.ts';
import { readRequest } from './read-request.ts';
import { ReconcileLoop } from './reconcile-loop.ts';
import type { ReconcileObserver } from './reconcile-observer.ts';
import type { Reconciler, Request } from './reconciler.ts';
import { SourceSet, type WatchRegistration } from './source-set.ts';
import type { EnqueueOptions, Source } from './source.ts';

/** What the observers of a controller measure of its queue when they are asked. */
interface QueueState {
  /** How many requests are ready. */
  readonly length: number;
  /** The same, by priority. */
  lengths(): ReadonlyMap<number, number>;
  /** How long each run has taken so far, in milliseconds. */
  unfinished(): number[];
}

/** Makes the observers of a controller. */
type ObserveController = (
  name: string,
  workers: number,
  queue: () => QueueState,
) => { queue: QueueObserver; reconcile: ReconcileObserver };

/** What a manager makes a controller of. */
export interface ControllerConfig extends ControllerOptions {
  /** For logs and metrics. */
  name: string;
  reconciler: Reconciler;
  clock: Clock;
  /** Times the start of sources, which wait for the API server. */
  networkClock: Clock;
  logger: Logger;
  observe?: ObserveController | undefined;
  tracer?: Tracer | undefined;
  /** Throws when the process must not write any more; see WorkContext. */
  fence?: (() => void) | undefined;
}

/** Runs a reconciler for every request, each object at most once at a time. Made by a ControllerBuilder. */
export class Controller {
  /** In logs and metrics; one controller of a manager has it. */
  readonly name: string;
  /** Whether it runs on the leader only. */
  readonly needsLeaderElection: boolean;
  readonly #queue: WorkQueue<Request>;
  readonly #sources: SourceSet;
  readonly #loop: ReconcileLoop;
  readonly #hotLoops: HotLoops;
  readonly #warmsUp: boolean;
  #state: 'new' | 'starting' | 'running' | 'stopped' = 'new';

  /**
   * @throws {UsageError} when an option is out of range.
   * @internal
   */
  constructor(config: ControllerConfig) {
    const { name, reconciler, clock, networkClock, tracer, fence, rateLimiter } = config;
    const options = checkOptions(config);
    const { maxConcurrentReconciles: workers, reconcileTimeout } = options;
    const logger = config.logger.child({ controller: name });
    const observers = config.observe?.(name, workers, () => this.#queue);
    this.name = name;
    this.needsLeaderElection = options.needsLeaderElection;
    this.#warmsUp = options.warmUp;
    const queue = new WorkQueue<Request>({ clock, keyOf: keyText, rateLimiter, observer: observers?.queue });
    this.#queue = queue;
    this.#sources = new SourceSet({
      enqueue: (request, enqueueOptions) => this.enqueue(request, enqueueOptions),
      syncTimeout: options.cacheSyncTimeout,
      clock,
      networkClock,
      logger,
      fence,
    });
    this.#hotLoops = new HotLoops({ logger, looped: () => observers?.reconcile.looped() });
    this.#loop = new ReconcileLoop({
      name,
      reconciler,
      workers,
      reconcileTimeout,
      queue,
      clock,
      logger,
      tracer,
      fence,
      observer: observers?.reconcile,
      hotLoops: this.#hotLoops,
    });
  }

  /**
   * Queues a request. One for the same object that waits already takes the earlier time and the higher priority.
   * @throws {UsageError} when the request has no name, the delay is no duration, or the priority no number.
   */
  enqueue(request: Request, options?: EnqueueOptions): void {
    const { request: checked, after, priority } = readRequest(request, options);
    this.#hotLoops.requested(checked, options?.eventVersion);
    this.#queue.add(checked, { after, priority });
  }

  /**
   * How many runs have begun.
   * @internal
   */
  get runs(): number {
    return this.#queue.handedOut;
  }

  /**
   * What it does, or has to do at once; undefined when it does nothing, be it that requests wait for their time.
   * @internal
   */
  get busyWith(): string | undefined {
    if (this.#state === 'starting') return `the controller ${this.name} starts`;
    if (this.#state !== 'running') return undefined;
    const { working, length } = this.#queue;
    const doing = [
      ...(working.length > 0 ? [`runs ${abridged(working)}`] : []),
      ...(length > 0 ? [`has ${length} in its queue`] : []),
      ...this.#sources.mapping.map((source) => `maps events of ${source}`),
    ];
    return doing.length > 0 ? `the controller ${this.name} ${doing.join(', ')}` : undefined;
  }

  /**
   * Adds a source of requests: it starts with the controller, or at once when that has started. It stops with the
   * controller, or when the registration is disposed of; requests that are queued by then still run.
   */
  watch(source: Source): WatchRegistration {
    return this.#sources.add(source);
  }

  /**
   * Fills the queue before `start`, when the option `warmUp` is true; resolves when all that is there is queued.
   * @throws as `start` does.
   * @internal
   */
  async warmUp(signal: AbortSignal): Promise<void> {
    if (this.#warmsUp) await this.#sources.start(signal);
  }

  /**
   * Runs until the signal aborts and every run under way has settled. Nothing runs before every source has queued
   * what was there.
   * @throws {UsageError} when it is called twice; {CacheSyncError} when a source takes longer than `cacheSyncTimeout`;
   *   otherwise what a source failed with. No error when the signal aborts.
   * @internal
   */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#state !== 'new')
      throw new UsageError(`the controller ${this.name} was started twice`, 'Start it once.');
    this.#state = 'starting';
    try {
      await this.#sources.start(signal);
      this.#state = 'running';
      await this.#loop.run(signal);
    } finally {
      this.#state = 'stopped';
      this.#queue.shutDown();
      this.#sources.stop();
    }
  }
}

/** A few of the names, for one line of text. */
function abridged(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
