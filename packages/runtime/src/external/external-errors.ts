import { errorMessage } from '../errors/error-message.ts';
import { RuntimeError } from '../errors/runtime-error.ts';

/** The methods of an `ExternalResource`. */
export type ExternalOperation = 'observe' | 'create' | 'update' | 'delete';

/** A method of an `ExternalResource` threw, which is the `cause`, or did not end in time. The reconcile is retried. */
export class ExternalCallError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'EXTERNAL_CALL';
  /** The method. */
  readonly operation: ExternalOperation;

  constructor(operation: ExternalOperation, cause: unknown) {
    super(`${operation} failed: ${errorMessage(cause)}`, 'See the cause; the reconcile is retried.', cause);
    this.operation = operation;
  }

  /** @internal */
  override get loggedStacks(): 'cause' {
    return 'cause';
  }
}

/**
 * A method of an `ExternalResource` did not end within `callTimeout`. The external API may still have done what it was asked to do. The
 * reason with which the signal of the call aborts.
 */
export class ExternalTimeoutError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'EXTERNAL_TIMEOUT';

  /** @param milliseconds the timeout */
  constructor(milliseconds: number) {
    super(
      `no response from the external API within ${milliseconds} ms`,
      'Check that the external API can be reached, or raise callTimeout.',
    );
  }
}

const brand = Symbol.for('ots-runtime.NotCreatedError');

/**
 * Throw it from `create` of an `ExternalResourceWithIds` if the API refused, so nothing was made: the reconcile is retried. After any
 * other error it is unknown whether there is something now, and a person must decide.
 */
export class NotCreatedError extends Error {
  /** Stable; to branch on. */
  readonly code = 'NOT_CREATED';
  /**
   * Known to other copies of this package by it.
   * @internal
   */
  readonly [brand] = true;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NotCreatedError';
  }
}

/** True for a `NotCreatedError` of any copy of this package. */
export function isNotCreated(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as { [brand]?: unknown })[brand] === true;
}
