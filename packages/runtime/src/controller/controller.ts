import { isConflict } from '../client/api-error.ts';
import type { Clock } from '../clock/clock.ts';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import type { Logger } from '../logging/logger.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import { keyText } from '../objects/object-key.ts';
import { untilAborted } from '../signals/until-aborted.ts';
import { WorkQueue } from '../queue/work-queue.ts';
import type { Reconciler, Request, Result } from './reconciler.ts';
import { TerminalError } from './terminal-error.ts';

export interface ControllerOptions {
  name: string;
  reconciler: Reconciler;
  maxConcurrentReconciles: number;
  clock: Clock;
  logger: Logger;
  metrics?: ManagerMetrics | undefined;
}

type Outcome = 'success' | 'error' | 'requeue_after';

/** Runs a reconciler for every request, each object at most once at a time. Made by a ControllerBuilder. */
export class Controller {
  readonly name: string;
  readonly #reconciler: Reconciler;
  readonly #workers: number;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: ManagerMetrics | undefined;
  readonly #queue: WorkQueue<Request>;
  readonly #lastErrors = new Map<string, unknown>();
  /** Resolve when everything that was there at the start is queued. */
  readonly #sources: (() => Promise<void>)[] = [];

  constructor(options: ControllerOptions) {
    this.name = options.name;
    this.#reconciler = options.reconciler;
    this.#workers = options.maxConcurrentReconciles;
    this.#clock = options.clock;
    this.#logger = options.logger.child({ controller: options.name });
    this.#metrics = options.metrics;
    this.#queue = new WorkQueue<Request>({
      clock: options.clock,
      keyOf: keyText,
      observer: options.metrics?.queueObserver(options.name, () => this.#queue),
    });
    options.metrics?.addController(options.name, options.maxConcurrentReconciles);
  }

  /** Queues a request. */
  enqueue(request: Request): void {
    this.#queue.add(request);
  }

  /** Makes `start` wait for a source before the first run. */
  addSource(synced: () => Promise<void>): void {
    this.#sources.push(synced);
  }

  /** Runs until the signal aborts and every run under way has settled. */
  async start(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#queue.shutDown();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      await Promise.race([Promise.all(this.#sources.map((synced) => synced())), untilAborted(signal)]);
      await Promise.all(Array.from({ length: this.#workers }, () => this.#work(signal)));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    for (let request = await this.#queue.next(); request; request = await this.#queue.next()) {
      this.#metrics?.activeWorkers.inc({ controller: this.name });
      try {
        await this.#run(request, signal);
      } finally {
        this.#metrics?.activeWorkers.dec({ controller: this.name });
        this.#queue.done(request);
      }
    }
  }

  async #run(request: Request, signal: AbortSignal): Promise<void> {
    const reconcileId = crypto.randomUUID();
    const logger = this.#logger.child({ ...request, reconcileId });
    const key = keyText(request);
    const startedAt = this.#clock.now();
    let outcome: Outcome;
    try {
      const result = await this.#reconciler.reconcile(request, {
        signal,
        logger,
        attempt: this.#queue.failures(request) + 1,
        ...(this.#lastErrors.has(key) && { lastError: this.#lastErrors.get(key) }),
        reconcileId,
      });
      outcome = this.#settle(request, result ?? {});
      this.#lastErrors.delete(key);
    } catch (error) {
      outcome = 'error';
      this.#fail(request, error, logger, signal);
    }
    this.#metrics?.reconciled(this.name, outcome, (this.#clock.now() - startedAt) / 1000);
  }

  /** The delays of earlier failures are forgotten first: a pending retry must not win over `requeueAfter`. */
  #settle(request: Request, { requeueAfter }: Result): Outcome {
    const delay = requeueAfter === undefined ? 0 : toMilliseconds(requeueAfter);
    this.#queue.forget(request);
    if (delay === 0) return 'success';
    this.#queue.addAfter(request, delay);
    return 'requeue_after';
  }

  #fail(request: Request, error: unknown, logger: Logger, signal: AbortSignal): void {
    // What a stopping manager interrupts is not a failure of the reconciler.
    if (signal.aborted && (error as Error | undefined)?.name === 'AbortError') return;
    this.#metrics?.reconcileErrors.inc({ controller: this.name });
    if (error instanceof TerminalError) {
      this.#metrics?.terminalErrors.inc({ controller: this.name });
      logger.error({ err: error }, 'reconcile failed for good; it runs again when the object changes');
      return;
    }
    this.#lastErrors.set(keyText(request), error);
    this.#queue.addRateLimited(request);
    // A conflict only means that the object was read before its last change: the retry reads it anew.
    if (isConflict(error))
      logger.info({ reason: error.message }, 'the object has changed meanwhile; trying again');
    else
      logger.error({ err: error, attempt: this.#queue.failures(request) }, 'reconcile failed; trying again');
  }
}
