import { errorMessage } from './error-message.ts';
import { RuntimeError } from './runtime-error.ts';

/** Several parts of one piece of work failed. The other parts were completed. */
export class MultipleFailuresError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'MULTIPLE_FAILURES';
  /** What each of them threw. */
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    super(
      `${errors.length} failures: ${errors.map(errorMessage).join('; ')}`,
      'See errors; each says what to do.',
      errors[0],
    );
    this.errors = errors;
  }

  /** @internal */
  override get loggedStacks(): 'cause' {
    return 'cause';
  }
}

/**
 * Does nothing without errors.
 * @throws the error itself if there is only one: a conflict stays recognizable; {MultipleFailuresError} if there are
 *   more.
 */
export function throwAll(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new MultipleFailuresError(errors);
}
