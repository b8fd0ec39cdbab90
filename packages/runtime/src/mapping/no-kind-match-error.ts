import { RuntimeError } from '../errors/runtime-error.ts';

/** The server has no such kind. */
export class NoKindMatchError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'NO_KIND_MATCH';
}
