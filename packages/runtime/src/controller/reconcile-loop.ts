import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { containRejections } from '../context/contain-rejections.ts';
import { runInContext } from '../context/work-context.ts';
import type { ReconcileDebugging } from '../debugging/reconcile-debugging.ts';
import { errorMessage, unlessRepeated } from '../errors/error-message.ts';
import { RuntimeError } from '../errors/runtime-error.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { Logger } from '../logging/logger.ts';
import type { QueuedItem, WorkQueue } from '../queue/work-queue.ts';
import type { Cause } from '../reasons/cause.ts';
import { reasonText } from '../reasons/reason-text.ts';
import type { ControllerShards } from '../sharding/controller-shards.ts';
import type { Shard } from '../sharding/shard.ts';
import type { Tracer } from '../tracing/tracer.ts';
import {
  classifyError,
  isAbortion,
  isOfLeftNamespace,
  isOfOtherReplica,
  isOutage,
} from './classify-error.ts';
import type { HotLoops } from './hot-loops.ts';
import { Overtaken } from './overtaken.ts';
import { readResult } from './read-result.ts';
import type { Outcome, ReconcileObserver } from './reconcile-observer.ts';
import type { Reconciler, Request, Result } from './reconciler.ts';
import { Run } from './run.ts';

export interface ReconcileLoopOptions {
  name: string;
  reconciler: Reconciler;
  /** See WorkContext. */
  author: string;
  /** How many reconciles run at the same time in the beginning. */
  workers: number;
  /** In milliseconds; undefined for none. */
  reconcileTimeout: number | undefined;
  queue: WorkQueue<Request>;
  clock: Clock;
  /** The controller's own. */
  logger: Logger;
  observer: ReconcileObserver | undefined;
  tracer: Tracer | undefined;
  track: ConnectionConfig['track'];
  fence: (() => void) | undefined;
  /** Which requests this replica works on; undefined if it works on all. */
  shards: ControllerShards | undefined;
  hotLoops: HotLoops;
  debugging: ReconcileDebugging;
  /** Whether the cache has left a namespace; see ControllerConfig. */
  hasLeft: ((request: Request) => boolean) | undefined;
}

interface Failure {
  attempts: number;
  error: unknown;
}

/**
 * Reconciles that finish at once must leave time for timers and sockets: leases, probes and watches depend on it. In
 * real milliseconds: a clock that a test has stopped must not starve the process.
 */
const maxStretchMs = 10;
/** The same where time stands still: how fast the machine is must not decide what happens next. */
const maxRunsInStretch = 100;
const longRunCheckMs = 60_000;
const firstWarning = 5 * longRunCheckMs;
/** How many conflicts in a row are normal, and how many are not: something does not settle. */
const quietConflicts = 3;
const maxConflicts = 10;
/**
 * The longest delay after a conflict, or while the cache is being filled, in milliseconds: the watch that brings the news
 * may be down.
 */
const maxNewsDelay = 5000;
/** The delay of a request after a custom rate limiter threw, in milliseconds. */
const fallbackDelay = 1_000_000;

/** Takes requests from a queue and runs the reconciler for them, at most once per object at a time. */
export class ReconcileLoop {
  readonly #options: ReconcileLoopOptions;
  readonly #clock: Clock;
  readonly #queue: WorkQueue<Request>;
  /** Who reconciles; see WorkContext. */
  readonly author: string;
  readonly #observer: ReconcileObserver | undefined;
  readonly #runs = new Set<Run>();
  /** Undefined while no reconcile runs for long. */
  #longRunTimer: unknown;
  /** The failures of requests to retry: each has its request in the queue, and none stays forever. */
  readonly #failures = new Map<string, Failure>();
  readonly #overtaken = new Overtaken();
  /** How many workers there are to be. */
  #wanted: number;
  /** How many there are. */
  #hired = 0;
  readonly #crew = new Set<Promise<void>>();
  /** That of `run`. */
  #signal: AbortSignal | undefined;
  #turnedAt = 0;
  #runsSinceTurn = 0;
  /** Shared by all workers: if each had its own stretch, they would take turns and leave no time to the process. */
  #turning: Promise<void> | undefined;

  constructor(options: ReconcileLoopOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#queue = options.queue;
    this.#observer = options.observer;
    this.#wanted = options.workers;
    this.author = options.author;
  }

  /** Works until the signal aborts and every running reconcile has settled. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = (): void => {
      this.#queue.shutDown();
      for (const run of this.#runs) run.abort(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const containment = containRejections();
    try {
      this.#signal = signal;
      this.#hire(signal);
      while (this.#crew.size > 0) await Promise.all(this.#crew);
    } finally {
      this.#clock.clearTimeout(this.#longRunTimer);
      this.#overtaken.clear();
      containment[Symbol.dispose]();
      signal.removeEventListener('abort', stop);
    }
  }

  /** Sets the number of workers. Those that are too many end after their reconciles. */
  staff(workers: number): void {
    this.#wanted = workers;
    if (this.#signal) this.#hire(this.#signal);
  }

  /** Drops the requests of a cluster, and aborts its reconciles. */
  leave(cluster: string, reason: unknown): void {
    for (const key of this.#queue.drop(cluster)) {
      this.#failures.delete(key);
      this.#overtaken.forget(key);
    }
    for (const run of this.#runs) if (run.request.cluster === cluster) run.abandon(reason);
  }

  /** A worker whose reconcile ignores that its cluster has left does not count. */
  #hire(signal: AbortSignal): void {
    const abandoned = [...this.#runs].filter(({ isAbandoned }) => isAbandoned).length;
    while (this.#hired < this.#wanted + abandoned) {
      this.#hired += 1;
      const worker = this.#work(signal).finally(() => this.#crew.delete(worker));
      this.#crew.add(worker);
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    for (;;) {
      // A request that is ready must not cost a promise.
      const next = this.#queue.take() ?? (await this.#queue.next());
      if (!next) return;
      // Taken right before the stop.
      if (signal.aborted) return this.#queue.done(next);
      const { shards, hasLeft } = this.#options;
      const shard = shards?.shard(next.item, next.causes);
      if (shards && !shard) this.#drop(next, 'another replica works on the object');
      else if (hasLeft?.(next.item)) this.#drop(next, 'the namespace is no longer cached');
      else if (!this.#options.debugging.isOn || !this.#hold(next)) {
        const startedAt = this.#clock.now();
        this.#observer?.started();
        const outcome = await this.#run(next, startedAt, signal, shard);
        const now = this.#clock.now();
        this.#observer?.finished(outcome, (now - startedAt) / 1000);
        this.#queue.done(next);
      }
      if (this.#hired > this.#wanted) {
        this.#hired -= 1;
        return;
      }
      if (this.#isTurnDue()) await (this.#turning ??= this.#turn());
    }
  }

  /** When this replica can work on the object again, the object is requested again. */
  #drop(next: QueuedItem<Request>, why: string): void {
    this.#forget(next.key, next.item);
    this.#options.logger.debug({ ...next.item }, `${why}; dropping a request`);
    this.#queue.done(next);
  }

  #forget(key: string, request: Request): void {
    this.#failures.delete(key);
    this.#overtaken.forget(key);
    this.#queue.forget(request);
  }

  /** False if it can run now: a debugger that holds it leaves the worker to others. */
  #hold(next: QueuedItem<Request>): boolean {
    if (next.isAdmitted) return false;
    const admission = this.#options.debugging.admission(next, this.#attemptOf(next.key));
    if (admission) this.#queue.hold(next, admission);
    return admission !== undefined;
  }

  #attemptOf(key: string): number {
    return (this.#failures.get(key)?.attempts ?? 0) + 1;
  }

  /** The id of the reconcile of this key that runs. */
  idOf(key: string): string | undefined {
    for (const run of this.#runs) if (run.key === key) return run.id;
    return undefined;
  }

  #isTurnDue(): boolean {
    if (this.#clock === systemClock) return systemClock.now() - this.#turnedAt >= maxStretchMs;
    this.#runsSinceTurn += 1;
    return this.#queue.length > 0 || this.#runsSinceTurn >= maxRunsInStretch;
  }

  async #turn(): Promise<void> {
    await turn();
    this.#turning = undefined;
    this.#turnedAt = systemClock.now();
    this.#runsSinceTurn = 0;
  }

  async #run(
    { key, item: request, causes, priority, readyAt }: QueuedItem<Request>,
    startedAt: number,
    parent: AbortSignal,
    shard: Shard | undefined,
  ): Promise<Outcome> {
    const failure = this.#failures.get(key);
    if (failure) this.#overtaken.forget(key);
    const { logger, fence, hotLoops } = this.#options;
    const attempt = this.#attemptOf(key);
    const onStrayRejection = this.#logStrayRejection;
    const { author } = this;
    const run = new Run(
      {
        key,
        request,
        causes,
        priority,
        attempt,
        readyAt,
        startedAt,
        clock: this.#clock,
        logger,
        parent,
        author,
        fence,
        shard,
        hotLoops,
        onStrayRejection,
      },
      firstWarning,
    );
    // Checked first: the logger of a reconcile costs more than a short reconcile.
    if (!logger.isLevelEnabled('debug')) return this.#settle(run, failure, parent);
    run.logger.debug({ attempt, priority, reasons: run.reasons.map(reasonText) }, 'reconcile started');
    const result = await this.#settle(run, failure, parent);
    const { requests, requeueAfter } = run;
    const milliseconds = Math.round(this.#clock.now() - startedAt);
    run.logger.debug({ result, milliseconds, requests, requeueAfter }, 'reconcile ended');
    return result;
  }

  async #settle(run: Run, failure: Failure | undefined, parent: AbortSignal): Promise<Outcome> {
    const { hotLoops, debugging } = this.#options;
    const { key, request } = run;
    this.#runs.add(run);
    run.shard?.enter(run);
    if (debugging.isOn) run.recording = debugging.begin(run);
    this.#watchLongReconciles();
    hotLoops.began(key, request);
    const deadline = this.#setDeadline(run);
    try {
      return this.#succeed(run, await this.#reconcile(run, failure));
    } catch (error) {
      return this.#fail(run, error, parent);
    } finally {
      this.#clock.clearTimeout(deadline);
      this.#runs.delete(run);
      run.shard?.leave(run);
      hotLoops.ended(key);
      run.recording?.end();
      run.recording = undefined;
    }
  }

  #reconcile(run: Run, failure: Failure | undefined): Promise<Result | void> {
    const { reconciler, tracer, track, name } = this.#options;
    const { request, attempt } = run;
    // A copy: a reconciler that modifies it must not change the key in the queue.
    const start = () => runInContext(run, () => reconciler.reconcile({ ...request }, run.context(failure)));
    const reconcile = track
      ? () => track(`the reconcile of ${run.key} by ${name}`, async () => start())
      : start;
    if (!tracer) return reconcile();
    const attributes = { controller: name, ...request, reconcileId: run.id, attempt };
    return tracer.span(`reconcile ${name}`, attributes as Record<string, string | number>, async (span) => {
      if (span.isRecording) span.setAttributes({ reasons: run.reasons.map(reasonText).join('; ') });
      return reconcile();
    });
  }

  #setDeadline(run: Run): unknown {
    const { reconcileTimeout } = this.#options;
    if (reconcileTimeout === undefined) return undefined;
    return this.#clock.setTimeout(() => {
      if (!run.abort(new ReconcileTimeoutError(reconcileTimeout))) return;
      this.#observer?.failed('timeout');
      run.logger.warn({ reconcileTimeout }, 'reconcile timed out; its signal is aborted');
    }, reconcileTimeout);
  }

  /** Forgets the delays of earlier failures first: the next failure starts over, whatever the result requests. */
  #succeed(run: Run, result: unknown): Outcome {
    const { requeueAfter, priority = run.priority } = readResult(result);
    const { key, request } = run;
    this.#failures.delete(key);
    this.#queue.forget(request);
    if (requeueAfter === 0) return 'success';
    const cause: Cause = { type: 'requeue', after: requeueAfter };
    run.requeueAfter = this.#queue.add(request, { after: requeueAfter, priority, cause });
    run.recorder?.requeued(requeueAfter);
    return 'requeue_after';
  }

  #fail(run: Run, error: unknown, parent: AbortSignal): Outcome {
    if (run.isAbandoned) this.#forget(run.key, run.request);
    // Another replica reconciles the object of a lost shard.
    if (run.isAbandoned || isAbortion(error, parent) || run.shard?.isLost) {
      run.recorder?.interrupted();
      run.logger.debug({ reason: errorMessage(error) }, 'reconcile interrupted');
      return 'requeue';
    }
    const { key, attempt, request } = run;
    if (this.#isOfLeftNamespace(request, error))
      return this.#leave(run, error, 'the namespace is no longer cached');
    if (isOfOtherReplica(error, request))
      return this.#leave(run, error, 'another replica works on the object');
    const meaning = classifyError(error);
    const isOvertaken = meaning === 'conflict' || meaning === 'gone';
    const kind = isOvertaken ? (attempt > maxConflicts ? 'error' : 'conflict') : meaning;
    if (kind !== 'unsynced') this.#observer?.failed(kind);
    if (kind === 'terminal') {
      // The rate limiter keeps its counts: only a success resets its delays.
      this.#failures.delete(key);
      run.recorder?.failed(kind, error, attempt, undefined);
      run.logger.error(
        { err: error },
        'reconcile failed with a terminal error; it runs again when the object changes',
      );
      return 'error';
    }
    const err = unlessRepeated(error, this.#failures.get(key)?.error);
    this.#failures.set(key, { attempts: attempt, error });
    this.#tryAgain(run, { type: 'backoff', attempt, error }, isOvertaken || meaning === 'unsynced');
    run.recorder?.failed(meaning, error, attempt, run.requeueAfter);
    if (kind === 'error') {
      run.logger[isOutage(error) ? 'debug' : 'error']({ err, attempt }, 'reconcile failed; retrying');
      return 'error';
    }
    if (kind === 'unsynced') {
      run.logger.debug({ reason: errorMessage(error), attempt }, 'the cache is not filled yet; retrying');
      return 'requeue';
    }
    // A conflict only means that the object was read before its last change: the retry reads it again.
    const level = attempt > quietConflicts ? 'info' : 'debug';
    run.logger[level](
      { reason: errorMessage(error), attempt },
      meaning === 'gone'
        ? 'an object to write no longer exists; retrying'
        : 'the object has changed since it was read; retrying',
    );
    return 'requeue';
  }

  /** Ends a reconcile that cannot succeed here: the request is not tried again. */
  #leave(run: Run, error: unknown, why: string): Outcome {
    this.#forget(run.key, run.request);
    run.recorder?.interrupted();
    run.logger.debug({ reason: errorMessage(error) }, `${why}; not retrying`);
    return 'requeue';
  }

  #isOfLeftNamespace(request: Request, error: unknown): boolean {
    return this.#options.hasLeft?.(request) || isOfLeftNamespace(error, request.namespace);
  }

  /** After a conflict, as soon as the reconciler will read newer objects than before. */
  #tryAgain(run: Run, cause: Cause, awaitsNews: boolean): void {
    const { key, request, priority, logger, awaitedNews = [] } = run;
    const after = awaitsNews ? maxNewsDelay : undefined;
    const retry = (): void => void this.#queue.add(request, { priority, cause });
    try {
      const waits = awaitsNews && this.#overtaken.await(key, awaitedNews, retry);
      run.requeueAfter = this.#queue.add(request, { rateLimited: !waits, after, priority, cause });
    } catch (error) {
      logger.error({ err: error }, 'rate limiter failed; retrying after 1000 s');
      run.requeueAfter = this.#queue.add(request, { after: fallbackDelay, priority, cause });
    }
  }

  readonly #logStrayRejection = (error: unknown, { logger }: Run): void => {
    this.#observer?.failed('panic');
    logger.error({ err: error }, 'a promise that the reconciler did not await was rejected');
  };

  /** Without this, a reconcile that never settles would silently block its object and a worker forever. An idle loop sets no timer. */
  #watchLongReconciles(): void {
    this.#longRunTimer ??= this.#clock.setTimeout(() => {
      this.#longRunTimer = undefined;
      this.#warnOfLongReconciles();
      if (this.#runs.size > 0) this.#watchLongReconciles();
    }, longRunCheckMs);
  }

  #warnOfLongReconciles(): void {
    const now = this.#clock.now();
    for (const run of this.#runs) {
      const age = now - run.startedAt;
      if (age < run.warnAt) continue;
      run.warnAt = age * 2;
      run.logger.warn({ seconds: Math.round(age / 1000) }, 'reconcile still running; its object is blocked');
    }
  }
}

/** A reconcile took longer than the `reconcileTimeout` of its controller. The reason with which its signal aborts. */
export class ReconcileTimeoutError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'RECONCILE_TIMEOUT';

  /** @param milliseconds the timeout */
  constructor(milliseconds: number) {
    super(
      `The reconcile did not end within ${milliseconds} ms`,
      'Return requeueAfter instead of waiting, or raise reconcileTimeout.',
    );
  }
}
