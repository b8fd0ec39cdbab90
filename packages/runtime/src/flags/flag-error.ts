import { RuntimeError } from '../errors/runtime-error.ts';

/** The command line of the program, or an environment variable, is not what it can be. */
export class FlagError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'FLAG';
}
