import type { Kind } from 'ots-kubernetes';
import { RuntimeError } from '../errors/runtime-error.ts';

/** A kind was read from the cache that no controller of the manager watches. */
export class KindNotCachedError extends RuntimeError {
  readonly code = 'KIND_NOT_CACHED';

  constructor(kind: Kind) {
    super(
      `${kind.kind} of ${kind.apiVersion} is not cached`,
      'Watch it with for, owns or watches of a ControllerBuilder, or read it with manager.client.',
    );
  }
}
