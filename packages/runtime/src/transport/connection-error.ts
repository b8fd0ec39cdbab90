import { RuntimeError } from '../errors/runtime-error.ts';

/** The API server could not be reached, did not answer in time, or answered with something that is not its API. */
export class ConnectionError extends RuntimeError {
  readonly code = 'CONNECTION_FAILED';
}
