import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type {
  AwaitNews,
  RequestTrace,
  WorkContext,
  WorkEvent,
  WorkKey,
  WorkRequest,
} from '../context/work-context.ts';
import type { Recording } from '../debugging/reconcile-debugging.ts';
import type { ReconcileRecorder } from '../debugging/reconcile-recorder.ts';
import type { Logger } from '../logging/logger.ts';
import type { Cause } from '../reasons/cause.ts';
import type { ReconcileReason } from '../reasons/reason.ts';
import type { Shard } from '../sharding/shard.ts';
import { reasonsOf } from '../reasons/reasons-of.ts';
import type { HotLoops } from './hot-loops.ts';
import type { ReconcileContext, Request } from './reconciler.ts';

export interface RunOptions {
  /** Of the request. */
  key: string;
  request: Request;
  causes: readonly Cause[];
  /** The priority with which the request was queued. */
  priority: number;
  /** 1 for the first. */
  attempt: number;
  /** When the request became ready, in milliseconds of the clock. */
  readyAt: number;
  /** In milliseconds of the clock. */
  startedAt: number;
  clock: Clock;
  /** The controller's logger. */
  logger: Logger;
  /** The controller's signal: if it has aborted, the run starts aborted. */
  parent: AbortSignal;
  /** See WorkContext. */
  author: string;
  fence: (() => void) | undefined;
  /** Of its object; undefined without sharding. */
  shard: Shard | undefined;
  hotLoops: HotLoops;
  onStrayRejection: (error: unknown, run: Run) => void;
}

/**
 * One call of a reconciler. Its signal, its id and its logger are created on first use: they cost more than everything else in
 * a short reconcile.
 */
export class Run implements WorkContext {
  readonly key: string;
  readonly request: Request;
  readonly priority: number;
  readonly attempt: number;
  readonly readyAt: number;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly author: string;
  readonly fence: (() => void) | undefined;
  readonly shard: Shard | undefined;
  readonly onStrayRejection: (error: unknown) => void;
  /** How many API requests it has made. */
  requests = 0;
  /** Of the objects whose changes made the server refuse a write. */
  awaitedNews: AwaitNews[] | undefined;
  /** While it runs, if a debugger wants to know what it does. */
  recording: Recording | undefined;
  /** The delay until its request is queued again, in milliseconds; undefined if it is not. */
  requeueAfter: number | undefined;
  /** When to warn about its duration, as an age in milliseconds. */
  warnAt: number;
  /** The abort, if it came before the signal was created. */
  #abortion: { reason: unknown } | undefined;
  #isAbandoned = false;
  #controller: AbortController | undefined;
  #logger: Logger | undefined;
  #id: string | undefined;
  #reasons: readonly ReconcileReason[] | undefined;
  readonly #causes: readonly Cause[];
  readonly #base: Logger;
  readonly #hotLoops: HotLoops;

  constructor(options: RunOptions, warnAt: number) {
    const { key, request, priority, attempt, startedAt, clock, logger, parent, author, fence, shard } =
      options;
    this.key = key;
    this.request = request;
    this.priority = priority;
    this.attempt = attempt;
    this.readyAt = options.readyAt;
    this.startedAt = startedAt;
    this.clock = clock;
    this.author = author;
    this.fence = shard ? () => shard.fence() : fence;
    this.shard = shard;
    this.onStrayRejection = (error) => options.onStrayRejection(error, this);
    this.warnAt = warnAt;
    this.#base = logger;
    this.#causes = options.causes;
    this.#hotLoops = options.hotLoops;
    if (parent.aborted) this.#abortion = { reason: parent.reason };
  }

  /** A separate signal: listeners that are never removed are released with the run. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#abortion) this.#controller.abort(this.#abortion.reason);
    }
    return this.#controller.signal;
  }

  /** Names it in logs and traces. */
  get id(): string {
    return (this.#id ??= crypto.randomUUID());
  }

  get logger(): Logger {
    return (this.#logger ??= this.#base.child({ ...this.request, reconcileId: this.id }));
  }

  /** Why it runs. */
  get reasons(): readonly ReconcileReason[] {
    return (this.#reasons ??= reasonsOf(this.#causes));
  }

  wrote(kind: Kind, subresource: string | undefined, object: KubernetesObject): void {
    this.#hotLoops.wrote(this.key, kind, subresource, object);
  }

  overtaken(awaitNews: AwaitNews): void {
    (this.awaitedNews ??= []).push(awaitNews);
  }

  requested(request: WorkRequest): RequestTrace | undefined {
    this.requests += 1;
    return this.recorder?.requested(request);
  }

  readCache(verb: 'get' | 'list', kind: Kind, key: WorkKey): void {
    this.recorder?.readCache(verb, kind, key);
  }

  announced(event: WorkEvent): void {
    this.recorder?.announced(event);
  }

  /** Writes down what it does; undefined while no debugger wants to know. */
  get recorder(): ReconcileRecorder | undefined {
    return this.recording?.recorder;
  }

  /** The first reason counts: false if it was aborted before. */
  abort(reason: unknown): boolean {
    if (this.#abortion) return false;
    this.#abortion = { reason };
    this.#controller?.abort(reason);
    return true;
  }

  /** Aborts it because its cluster has left: however it ends, its request is not queued again. */
  abandon(reason: unknown): void {
    this.#isAbandoned = true;
    this.abort(reason);
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** What the reconciler receives. All are own properties: a copy has them too. */
  context(failure: { error: unknown } | undefined): ReconcileContext {
    const signal = (): AbortSignal => this.signal;
    const logger = (): Logger => this.logger;
    const id = (): string => this.id;
    const reasons = (): readonly ReconcileReason[] => this.reasons;
    return {
      get signal() {
        return signal();
      },
      get logger() {
        return logger();
      },
      get reasons() {
        return reasons();
      },
      attempt: this.attempt,
      ...(failure && { lastError: failure.error }),
      get reconcileId() {
        return id();
      },
    };
  }
}
