import { RuntimeError } from './runtime-error.ts';

const brand = Symbol.for('ots-runtime.ConnectionError');

/** The API server could not be reached, did not answer in time, or answered with something that is not its API. */
export class ConnectionError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code: 'CONNECTION_FAILED' | 'REQUEST_TIMEOUT' = 'CONNECTION_FAILED';
  /**
   * Known to other copies of this package by it.
   * @internal
   */
  readonly [brand] = true;
}

/** There was no answer in time. A write may have been done all the same. */
export class RequestTimeoutError extends ConnectionError {
  /** Stable; to branch on. */
  override readonly code = 'REQUEST_TIMEOUT';
}

/** No connection could be made, or it ended before an answer began. */
export class UnreachableError extends ConnectionError {}

/** True for a `ConnectionError` of any copy of this package, timeouts included. */
export function isConnectionError(error: unknown): error is ConnectionError {
  return typeof error === 'object' && error !== null && (error as { [brand]?: unknown })[brand] === true;
}
