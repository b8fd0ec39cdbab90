import type { Clock } from '../clock/clock.ts';
import type { Logger } from '../logging/logger.ts';
import { UnreachableError } from '../errors/connection-error.ts';

export interface ReachabilityOptions {
  /** Scheme, host and port. */
  server: string;
  clock: Clock;
  logger: Logger;
}

/** Of several servers behind one address, one may be away: that is said so often at most, in milliseconds. */
const quietTime = 10_000;

/** The errors of outages that are in the log: those that meet them need not say it again. */
const known = new WeakSet<object>();

/**
 * Says when a server goes away and when it is back, once for all that ask it. It knows of requests only, and has nothing
 * to say before the first answer: a server that is not there at the start is an error of the start.
 */
export class Reachability {
  readonly #options: ReachabilityOptions;
  #hasAnswered = false;
  /** When the server went away; undefined while it is there. */
  #since: number | undefined;
  #saidAt = Number.NEGATIVE_INFINITY;
  #isSaid = false;

  constructor(options: ReachabilityOptions) {
    this.#options = options;
  }

  /** The server has answered, whatever it said. */
  answered(): void {
    this.#hasAnswered = true;
    if (this.#since === undefined) return;
    const { clock, logger, server } = this.#options;
    const seconds = Math.round((clock.now() - this.#since) / 1000);
    this.#since = undefined;
    if (this.#isSaid) logger.info({ server, seconds }, 'API server reachable again');
    this.#isSaid = false;
  }

  /** A request has failed, and is not repeated. Other failures than that of a server that is away are passed over. */
  failed(error: unknown): void {
    if (!(error instanceof UnreachableError) || !this.#hasAnswered) return;
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

/** True for the error of an outage that is in the log. */
export function isKnownOutage(error: unknown): boolean {
  return typeof error === 'object' && error !== null && known.has(error);
}
