import { RuntimeError } from '../errors/runtime-error.ts';

/** This replica cannot take part in the election, however long it tries: a role or the namespace is missing. */
export class LeaseUnavailableError extends RuntimeError {
  readonly code = 'LEASE_UNAVAILABLE';
}
