import { RuntimeError } from './runtime-error.ts';

const brand = Symbol.for('ots-runtime.ConnectionError');

/** The API server could not be reached, did not respond in time, or its response was not valid. */
export class ConnectionError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code: 'CONNECTION_FAILED' | 'REQUEST_TIMEOUT' = 'CONNECTION_FAILED';
  /**
   * Known to other copies of this package by it.
   * @internal
   */
  readonly [brand] = true;
}

/** A response did not arrive in time. The server may still have performed a write. */
export class RequestTimeoutError extends ConnectionError {
  /** Stable; to branch on. */
  override readonly code = 'REQUEST_TIMEOUT';
}

/** The connection could not be established, or ended before a response began. */
export class UnreachableError extends ConnectionError {}

/** True for a `ConnectionError` of any copy of this package, timeouts included. */
export function isConnectionError(error: unknown): error is ConnectionError {
  return typeof error === 'object' && error !== null && (error as { [brand]?: unknown })[brand] === true;
}
