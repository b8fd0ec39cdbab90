import { RuntimeError } from '../errors/runtime-error.ts';

/** The connection to the API server cannot be configured: a file is missing, malformed, or asks for too much. */
export class ConnectionConfigError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'CONNECTION_CONFIG';
}
