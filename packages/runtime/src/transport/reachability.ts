import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Logger } from '../logging/logger.ts';
import { UnreachableError } from '../errors/connection-error.ts';

export interface ReachabilityOptions {
  /** Scheme, host and port. */
  server: string;
  clock: Clock;
  logger: Logger;
}

/** The minimum time between two log lines, in milliseconds: one of several servers behind an address may be down. */
const quietTime = 10_000;

/** The errors of outages that have been logged: their catchers need not log them again. */
const known = new WeakSet<object>();

/**
 * Logs when a server becomes unreachable and when it is back, once for all of its clients. It observes only requests,
 * and logs nothing before the first response: a server that is unreachable at startup is a startup error.
 */
export class Reachability {
  readonly #options: ReachabilityOptions;
  #hasResponded = false;
  /** When the server became unreachable; undefined while it is reachable. */
  #since: number | undefined;
  #saidAt = Number.NEGATIVE_INFINITY;
  #isSaid = false;

  constructor(options: ReachabilityOptions) {
    this.#options = options;
  }

  /** The server has responded, with any status. */
  responded(): void {
    this.#hasResponded = true;
    if (this.#since === undefined) return;
    const { clock, logger, server } = this.#options;
    const seconds = Math.round((clock.now() - this.#since) / 1000);
    this.#since = undefined;
    if (this.#isSaid) logger.info({ server, seconds }, 'API server reachable again');
    this.#isSaid = false;
  }

  /** A request has failed and will not be retried. Ignores failures that do not mean that the server is unreachable. */
  failed(error: unknown): void {
    if (!(error instanceof UnreachableError) || !this.#hasResponded) return;
    const { clock, logger, server } = this.#options;
    const now = clock.now();
    this.#since ??= now;
    known.add(error);
    if (this.#isSaid || now - this.#saidAt < quietTime) return;
    this.#isSaid = true;
    this.#saidAt = now;
    logger.warn(
      { server, err: error },
      'API server unreachable; requests and watches resume when it is back',
    );
  }
}

/** Returns true for the error of an outage that has been logged. */
export function isKnownOutage(error: unknown): boolean {
  return typeof error === 'object' && error !== null && known.has(error);
}
