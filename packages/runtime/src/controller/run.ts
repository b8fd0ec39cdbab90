import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { WorkContext } from '../context/work-context.ts';
import type { Logger } from '../logging/logger.ts';
import type { HotLoops } from './hot-loops.ts';
import type { ReconcileContext, Request } from './reconciler.ts';

export interface RunOptions {
  /** Of the request. */
  key: string;
  request: Request;
  /** The priority with which the request was queued. */
  priority: number;
  /** 1 for the first. */
  attempt: number;
  /** In milliseconds of the clock. */
  startedAt: number;
  /** The controller's logger. */
  logger: Logger;
  /** The controller's signal: it tells whether the run starts out aborted. */
  parent: AbortSignal;
  fence: (() => void) | undefined;
  hotLoops: HotLoops;
  onStrayRejection: (error: unknown, run: Run) => void;
}

/**
 * One run of a reconciler. Its signal and its logger are made when they are first asked for: they cost more than
 * everything else that a short run does.
 */
export class Run implements WorkContext {
  readonly key: string;
  readonly request: Request;
  readonly priority: number;
  readonly attempt: number;
  readonly startedAt: number;
  readonly id = crypto.randomUUID();
  readonly fence: (() => void) | undefined;
  readonly onStrayRejection: (error: unknown) => void;
  /** How many requests it has made. */
  requests = 0;
  /** After how many milliseconds its request comes again; undefined when it does not. */
  requeueAfter: number | undefined;
  /** When its duration is to be remarked on, as an age in milliseconds. */
  remarkAt: number;
  /** What aborted it before anybody had asked for the signal. */
  #abortion: { reason: unknown } | undefined;
  #controller: AbortController | undefined;
  #logger: Logger | undefined;
  readonly #base: Logger;
  readonly #hotLoops: HotLoops;

  constructor(options: RunOptions, remarkAt: number) {
    const { key, request, priority, attempt, startedAt, logger, parent, fence } = options;
    this.key = key;
    this.request = request;
    this.priority = priority;
    this.attempt = attempt;
    this.startedAt = startedAt;
    this.fence = fence;
    this.onStrayRejection = (error) => options.onStrayRejection(error, this);
    this.remarkAt = remarkAt;
    this.#base = logger;
    this.#hotLoops = options.hotLoops;
    if (parent.aborted) this.#abortion = { reason: parent.reason };
  }

  /** Its own, so that listeners that nobody removes go with the run. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#abortion) this.#controller.abort(this.#abortion.reason);
    }
    return this.#controller.signal;
  }

  get logger(): Logger {
    return (this.#logger ??= this.#base.child({ ...this.request, reconcileId: this.id }));
  }

  wrote(kind: Kind, subresource: string | undefined, object: KubernetesObject): void {
    this.#hotLoops.wrote(this.key, kind, subresource, object);
  }

  requested(): void {
    this.requests += 1;
  }

  /** The first reason counts: false when it is not this one. */
  abort(reason: unknown): boolean {
    if (this.#abortion) return false;
    this.#abortion = { reason };
    this.#controller?.abort(reason);
    return true;
  }

  /** What the reconciler gets. All properties are its own, so that a copy has them too. */
  context(failure: { error: unknown } | undefined): ReconcileContext {
    const signal = (): AbortSignal => this.signal;
    const logger = (): Logger => this.logger;
    return {
      get signal() {
        return signal();
      },
      get logger() {
        return logger();
      },
      attempt: this.attempt,
      ...(failure && { lastError: failure.error }),
      reconcileId: this.id,
    };
  }
}
