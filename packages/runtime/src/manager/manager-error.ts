import { errorMessage } from '../errors/error-message.ts';
import { RuntimeError } from '../errors/runtime-error.ts';

/** More than one thing went wrong in a manager: what stopped it, and then its stop. The first one is the cause. */
export class ManagerError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'MANAGER_FAILED';
  /** In the order in which they happened. */
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    const [first] = errors;
    super(
      errors.map((error) => errorMessage(error)).join('; and then: '),
      first instanceof RuntimeError ? first.hint : 'Look at the first of its errors.',
      first,
    );
    this.errors = errors;
  }

  /** @internal */
  override get stacks(): 'cause' {
    return 'cause';
  }
}
