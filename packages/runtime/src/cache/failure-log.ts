import type { Kind } from 'ots-kubernetes';
import { isForbidden } from '../errors/api-error.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import { kindName } from '../mapping/kind-name.ts';
import { isConnectionError } from '../errors/connection-error.ts';
import type { SelectedNamespace } from './namespace-feed.ts';
import { isKnownOutage } from '../transport/reachability.ts';

/** A failed list or watch, and what follows from it. */
export interface LoggedFailure {
  error: unknown;
  /** Whether the call before succeeded. */
  isFirst: boolean;
  /** Whether the kind does not exist, which is logged elsewhere. */
  isAbsent: boolean;
  /** What is done next: `list`, `stream` or `watch`. */
  next: string;
  /** After how many milliseconds. */
  delay: number;
}

/** What is mirrored. */
interface WatchedCollection {
  kind: Kind;
  namespace: string | undefined;
}

/**
 * Logs why one collection is not mirrored: one line per problem, not per attempt. A watch that breaks and resumes is
 * not a problem.
 */
export class FailureLog {
  readonly #logger: Logger;
  readonly #kind: Kind;
  readonly #namespace: string | undefined;
  readonly #selected: SelectedNamespace | undefined;
  #failures = 0;
  #isRefusalSaid = false;

  constructor(
    { kind, namespace }: WatchedCollection,
    logger: Logger,
    selected: SelectedNamespace | undefined,
  ) {
    this.#logger = logger;
    this.#kind = kind;
    this.#namespace = namespace;
    this.#selected = selected;
  }

  /** A watch was opened: lists and watches are allowed. */
  opened(): void {
    this.#isRefusalSaid = false;
  }

  failed({ error, isFirst, isAbsent, next, delay }: LoggedFailure): void {
    this.#failures = isFirst ? 1 : this.#failures + 1;
    const where = { kind: this.#kind.kind, namespace: this.#namespace };
    // The rights in a namespace go before it does.
    if (isForbidden(error) && !this.#isRefusalSaid && !this.#selected?.isEnding()) {
      this.#isRefusalSaid = true;
      this.#logger.error({ ...where, err: error }, this.#refusalText);
      return;
    }
    const isSaid = isAbsent || isForbidden(error) || isKnownOutage(error);
    const level = isSaid ? 'debug' : this.#levelOf(error);
    const details = { ...where, reason: errorMessage(error), next, delay: Math.round(delay) };
    this.#logger[level](details, 'watch interrupted; resuming');
  }

  get #refusalText(): string {
    const text = `${kindName(this.#kind)} cannot be watched`;
    return this.#selected
      ? `${text} in namespace ${this.#namespace}; a RoleBinding there may be missing`
      : text;
  }

  #levelOf(error: unknown): 'debug' | 'info' | 'warn' {
    if (this.#failures > 1) return this.#failures === 2 ? 'warn' : 'debug';
    return isConnectionError(error) ? 'debug' : 'info';
  }
}
