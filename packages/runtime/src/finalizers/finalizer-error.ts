import { RuntimeError } from '../errors/runtime-error.ts';

/** Cleanups of an object that is being deleted failed. Their finalizers are still there, so it is not gone. */
export class FinalizerError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'FINALIZER';
  /** What each failing cleanup threw, by finalizer. */
  readonly errors: ReadonlyMap<string, unknown>;

  constructor(errors: ReadonlyMap<string, unknown>) {
    super(
      `Cleaning up failed: ${[...errors.keys()].join(', ')}`,
      'See errors; the object stays until each of these has succeeded.',
      [...errors.values()][0],
    );
    this.errors = errors;
  }

  /** @internal */
  override get loggedStacks(): 'cause' {
    return 'cause';
  }
}
