import { errorMessage } from './error-message.ts';
import { RuntimeError } from './runtime-error.ts';

/** Several parts of one piece of work failed. The other parts were done. */
export class SeveralErrors extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'SEVERAL';
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
  override get stacks(): 'cause' {
    return 'cause';
  }
}

/**
 * Does nothing without errors.
 * @throws the error when there is one, as it is: a conflict stays known as one; {SeveralErrors} when there are more.
 */
export function throwAll(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new SeveralErrors(errors);
}
