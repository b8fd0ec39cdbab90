import { RuntimeError } from '../errors/runtime-error.ts';

/** A server of the manager cannot listen where it was told to. */
export class ListenError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'CANNOT_LISTEN';
}
