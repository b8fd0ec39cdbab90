import { errorMessage } from '../errors/error-message.ts';
import { RuntimeError } from '../errors/runtime-error.ts';

/** Several failures of a manager: the one that stopped it, and those while it stopped. The first one is the cause. */
export class ManagerError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'MANAGER_FAILED';
  /** In the order in which they happened. */
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    const [first] = errors;
    super(
      errors.map((error) => errorMessage(error)).join('; and then: '),
      first instanceof RuntimeError ? first.hint : 'See the first of errors.',
      first,
    );
    this.errors = errors;
  }

  /** @internal */
  override get loggedStacks(): 'cause' {
    return 'cause';
  }
}
