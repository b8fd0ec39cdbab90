import type { Kind } from 'ots-kubernetes';
import { isForbidden } from '../errors/api-error.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import { kindName } from '../mapping/kind-name.ts';
import { isConnectionError } from '../errors/connection-error.ts';
import { isKnownOutage } from '../transport/reachability.ts';

/** A failed list or watch, and what follows from it. */
export interface LoggedFailure {
  error: unknown;
  /** Whether the call before succeeded. */
  isFirst: boolean;
  /** Whether the kind does not exist, which is logged elsewhere. */
  isAbsent: boolean;
  /** Whether the namespace is being deleted: the rights in it go first. */
  isEnding: boolean;
  /** What is done next: `list`, `stream` or `watch`. */
  next: string;
  /** After how many milliseconds. */
  delay: number;
}

/**
 * Logs why one collection is not mirrored: one line per problem, not per attempt. A watch that breaks and resumes is
 * not a problem.
 */
export class FailureLog {
  readonly #logger: Logger;
  readonly #kind: Kind;
  readonly #namespace: string | undefined;
  #failures = 0;
  #isRefusalSaid = false;

  constructor(logger: Logger, kind: Kind, namespace: string | undefined) {
    this.#logger = logger;
    this.#kind = kind;
    this.#namespace = namespace;
  }

  /** A watch was opened: lists and watches are allowed. */
  opened(): void {
    this.#isRefusalSaid = false;
  }

  failed({ error, isFirst, isAbsent, isEnding, next, delay }: LoggedFailure): void {
    this.#failures = isFirst ? 1 : this.#failures + 1;
    const where = { kind: this.#kind.kind, namespace: this.#namespace };
    if (isForbidden(error) && !this.#isRefusalSaid && !isEnding) {
      this.#isRefusalSaid = true;
      this.#logger.error({ ...where, err: error }, `${kindName(this.#kind)} cannot be watched`);
      return;
    }
    const isSaid = isAbsent || isForbidden(error) || isKnownOutage(error);
    const level = isSaid ? 'debug' : this.#levelOf(error);
    const details = { ...where, reason: errorMessage(error), next, delay: Math.round(delay) };
    this.#logger[level](details, 'watch interrupted; resuming');
  }

  #levelOf(error: unknown): 'debug' | 'info' | 'warn' {
    if (this.#failures > 1) return this.#failures === 2 ? 'warn' : 'debug';
    return isConnectionError(error) ? 'debug' : 'info';
  }
}
