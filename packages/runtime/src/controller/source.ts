import type { Duration, Kind } from 'ots-kubernetes';
import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Logger } from '../logging/logger.ts';
import type { Cause } from '../reasons/cause.ts';
import type { Request } from './reconciler.ts';

/** When a request is to be worked on. */
export interface EnqueueOptions {
  /** Higher is reconciled earlier; 0 by default. */
  priority?: number | undefined;
  /** How long it waits at least: `'30s'`, or milliseconds; 0 by default. */
  after?: Duration | number | undefined;
  /**
   * Why; the source itself by default.
   * @internal
   */
  cause?: Cause | undefined;
}

/** Queues a request for a run of the reconciler. */
export type EnqueueFunction = (request: Request, options?: EnqueueOptions) => void;

/** What a source gets from its controller. */
export interface SourceContext {
  /**
   * Queues a request.
   * @throws {UsageError} if the request has no name, the delay is not a duration, or the priority is not a number.
   */
  readonly enqueue: EnqueueFunction;
  /** Aborts when the controller stops or the watch is removed: the source ends then. */
  readonly signal: AbortSignal;
  /** The clock to wait by; tests can move its time. */
  readonly clock: Clock;
  /** Carries the controller and the name of the source. */
  readonly logger: Logger;
}

/** Where the requests of a controller come from: `kindSource`, `fromIterable`, a `Channel`, or one of your own. */
export interface Source {
  /** For logs and errors, such as `ConfigMap`. */
  readonly name: string;
  /**
   * The kind that it watches, if it watches one.
   * @internal
   */
  readonly kind?: Pick<Kind, 'group' | 'plural'>;
  /**
   * Begins to deliver requests, and resolves when those for all that is there already are queued: the controller runs
   * nothing before. It goes on delivering until the signal aborts. A rejection fails the controller.
   */
  start(context: SourceContext): Promise<void>;
  /**
   * Whether its objects are those that the requests of its controller name.
   * @internal
   */
  readonly isPrimary?: boolean;
  /**
   * Queues the requests of what is there once more: this replica owns more shards than before.
   * @param isWanted tests the objects of a primary source.
   * @internal
   */
  requeue?(isWanted: (request: Request) => boolean): void;
  /**
   * True while events that have come are not requests yet.
   * @internal
   */
  isMapping?(): boolean;
}
