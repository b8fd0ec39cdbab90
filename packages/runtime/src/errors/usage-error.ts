import { RuntimeError } from './runtime-error.ts';

/** The program calls this package in a way that cannot work, such as starting a manager twice. */
export class UsageError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'USAGE';

  /** @internal */
  override get loggedStacks(): 'own' {
    return 'own';
  }
}
