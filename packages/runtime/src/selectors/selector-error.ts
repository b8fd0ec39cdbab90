import { RuntimeError } from '../errors/runtime-error.ts';

/** A label selector or a field selector that Kubernetes would refuse. */
export class SelectorError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'SELECTOR_INVALID';

  /** @internal */
  override get loggedStacks(): 'own' {
    return 'own';
  }
}
