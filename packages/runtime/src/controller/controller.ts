import type { Clock } from 'ots-apimachinery/clock/clock';
import { inspectQueue } from '../debugging/inspect-queue.ts';
import type { QueueSnapshot } from '../debugging/queue-snapshot.ts';
import { ReconcileDebugging } from '../debugging/reconcile-debugging.ts';
import { type Debugger, registry } from '../debugging/registry.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import type { QueueObserver } from '../queue/queue-observer.ts';
import { WorkQueue } from '../queue/work-queue.ts';
import type { ControllerShards } from '../sharding/controller-shards.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { Cause } from '../reasons/cause.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { type ControllerOptions, checkOptions } from './controller-options.ts';
import { HotLoops } from './hot-loops.ts';
import { readRequest } from './read-request.ts';
import { ReconcileLoop } from './reconcile-loop.ts';
import type { ReconcileObserver } from './reconcile-observer.ts';
import { reconcilerName } from './reconciler-name.ts';
import type { Reconciler, Request } from './reconciler.ts';
import { requestKey } from './request-key.ts';
import { SourceSet, type WatchRegistration } from './source-set.ts';
import type { EnqueueOptions, Source } from './source.ts';

/** What the observers of a controller read from its queue on demand. */
interface QueueState {
  /** How many requests are ready. */
  readonly length: number;
  /** The same, by priority. */
  lengths(): ReadonlyMap<number, number>;
  /** How long each running reconcile has taken so far, in milliseconds. */
  unfinished(): number[];
}

/** Creates the observers of a controller. */
type ObserveController = (
  name: string,
  workers: number,
  queue: () => QueueState,
) => { queue: QueueObserver; reconcile: ReconcileObserver };

/** What a manager creates a controller from. */
export interface ControllerConfig extends ControllerOptions {
  /** For logs and metrics. */
  name: string;
  /** That of the objects that requests name; undefined if they need not be of one kind. */
  kind?: string | undefined;
  reconciler: Reconciler;
  /** How errors name the reconciler; as `reconcilerName` by default. */
  author?: string | undefined;
  /**
   * Whether the namespaces of that kind in the cache change at run time, and that of the request is not among them: the
   * request is dropped. Never by default.
   */
  hasLeft?: ((request: Request) => boolean) | undefined;
  clock: Clock;
  /** Times the start of sources, which wait for the API server. */
  networkClock: Clock;
  logger: Logger;
  observe?: ObserveController | undefined;
  tracer?: Tracer | undefined;
  /** See ConnectionConfig. */
  track?: ConnectionConfig['track'];
  /** Throws if the process must no longer write; see WorkContext. */
  fence?: (() => void) | undefined;
  /** Whether the controller works for this cluster; for every one by default. Other requests are dropped. */
  hasCluster?: ((name: string) => boolean) | undefined;
  /** Which requests this replica works on; undefined if it works on all. */
  shards?: ControllerShards | undefined;
  /** Records its reconciles. */
  debugger?: Debugger | undefined;
}

const calledDirectly: Cause = { type: 'source', source: undefined };

/** Runs a reconciler for every request, at most once per object at a time. Created by a ControllerBuilder. */
export class Controller {
  /** The name in logs and metrics, unique in a manager. */
  readonly name: string;
  /** Whether it runs on the leader only. */
  readonly needsLeaderElection: boolean;
  readonly #kind: string | undefined;
  readonly #queue: WorkQueue<Request>;
  readonly #sources: SourceSet;
  readonly #loop: ReconcileLoop;
  readonly #hotLoops: HotLoops;
  readonly #warmsUp: boolean;
  readonly #workers: number;
  readonly #clock: Clock;
  readonly #shards: ControllerShards | undefined;
  #state: 'new' | 'starting' | 'running' | 'stopped' = 'new';

  /**
   * @throws {UsageError} when an option is out of range.
   * @internal
   */
  constructor(config: ControllerConfig) {
    const { name, kind, reconciler, clock, networkClock, tracer, track, fence, shards, rateLimiter } = config;
    const options = checkOptions(config);
    const { maxConcurrentReconciles: workers, reconcileTimeout } = options;
    const logger = config.logger.child({ controller: name });
    const observers = config.observe?.(name, workers, () => this.#queue);
    this.name = name;
    this.#kind = kind;
    // Sharded work needs shards instead.
    this.needsLeaderElection = options.needsLeaderElection && !shards;
    this.#shards = shards;
    this.#warmsUp = options.warmUp;
    this.#workers = workers;
    this.#clock = clock;
    const queue = new WorkQueue<Request>({
      clock,
      keyOf: requestKey,
      groupOf: ({ cluster }) => cluster,
      groupLimit: workers,
      accepts: ({ cluster }) => cluster === undefined || (config.hasCluster?.(cluster) ?? true),
      rateLimiter,
      observer: observers?.queue,
    });
    this.#queue = queue;
    this.#sources = new SourceSet({
      enqueue: (request, enqueueOptions, cause) => this.#enqueue(request, enqueueOptions, cause),
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
      author: config.author ?? reconcilerName(reconciler, name),
      workers,
      reconcileTimeout,
      queue,
      clock,
      logger,
      tracer,
      track,
      fence,
      shards,
      observer: observers?.reconcile,
      hotLoops: this.#hotLoops,
      hasLeft: config.hasLeft,
      debugging: new ReconcileDebugging({ controller: name, clock, logger, own: config.debugger }),
    });
  }

  /**
   * Queues a request. If one for the same object is already waiting, they are merged with the earlier time and the
   * higher priority. With sharding, a request that belongs to another replica is dropped.
   * @throws {UsageError} if the request has no name, the delay is not a duration, or the priority is not a number.
   */
  enqueue(request: Request, options?: EnqueueOptions): void {
    this.#enqueue(request, options, calledDirectly);
  }

  #enqueue(request: Request, options: EnqueueOptions | undefined, cause: Cause): void {
    const { request: checked, after, priority } = readRequest(request, options);
    if (this.#shards && !this.#shards.shard(checked, [cause])) return;
    this.#hotLoops.requested(checked, 'object' in cause ? cause.object.metadata.resourceVersion : undefined);
    this.#queue.add(checked, { after, priority, cause });
  }

  /**
   * The class of its reconciler, or its own name.
   * @internal
   */
  get author(): string {
    return this.#loop.author;
  }

  /**
   * Whether it watches a kind.
   * @internal
   */
  watches(group: string, plural: string): boolean {
    return this.#sources.watches(group, plural);
  }

  /**
   * How many reconciles have started.
   * @internal
   */
  get runs(): number {
    return this.#queue.handedOut;
  }

  /**
   * What it is doing or has to do at once; undefined if it is idle, even if delayed requests are waiting.
   * @internal
   */
  get busyWith(): string | undefined {
    if (this.#state === 'starting') return `the controller ${this.name} starts`;
    if (this.#state !== 'running') return undefined;
    const { working, held, length } = this.#queue;
    const doing = [
      ...(working.length > 0 ? [`runs ${abridged(working)}`] : []),
      ...(held.length > 0 ? [`holds ${abridged(held)} for a debugger`] : []),
      ...(length > 0 ? [`has ${length} in its queue`] : []),
      ...this.#sources.mapping.map((source) => `maps events of ${source}`),
    ];
    return doing.length > 0 ? `the controller ${this.name} ${doing.join(', ')}` : undefined;
  }

  /**
   * How many requests wait for a worker.
   * @internal
   */
  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * What its queue has now.
   * @internal
   */
  inspect(): QueueSnapshot {
    const controller = { controller: this.name, kind: this.#kind };
    return inspectQueue(controller, this.#queue, this.#clock, (key) => this.#loop.idOf(key));
  }

  /**
   * Adds a source of requests. It starts with the controller, or at once if the controller has started. It stops with
   * the controller, or when the registration is disposed of; requests that are queued by then still run.
   */
  watch(source: Source): WatchRegistration {
    return this.#sources.add(source);
  }

  /**
   * Works for so many clusters besides the manager's own, each with as many workers as that has.
   * @internal
   */
  workFor(clusters: number): void {
    this.#loop.staff(this.#workers * (1 + clusters));
  }

  /**
   * Drops the requests of a cluster, and aborts its reconciles.
   * @internal
   */
  leave(cluster: string, reason: unknown): void {
    this.#loop.leave(cluster, reason);
  }

  /**
   * Fills the queue before `start` if the option `warmUp` is true; resolves when all existing objects are queued.
   * @throws as `start` does.
   * @internal
   */
  async warmUp(signal: AbortSignal): Promise<void> {
    if (this.#warmsUp) await this.#sources.start(signal);
  }

  /**
   * Runs until the signal aborts and every running reconcile has settled. No reconcile starts before every source has
   * queued its existing objects.
   * @throws {UsageError} if it is called twice; {CacheSyncError} if a source takes longer than `cacheSyncTimeout`;
   *   otherwise the error of a failed source. No error if the signal aborts.
   * @internal
   */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#state !== 'new')
      throw new UsageError(`The controller ${this.name} was started twice`, 'Start it once.');
    this.#state = 'starting';
    const endGains = this.#shards?.onGain((isGained) => this.#sources.requeue(isGained));
    try {
      await this.#sources.start(signal);
      this.#state = 'running';
      registry.controllers.add(this);
      await this.#loop.run(signal);
    } finally {
      endGains?.();
      this.#state = 'stopped';
      registry.controllers.delete(this);
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
