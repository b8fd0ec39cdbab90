import type { Kind } from 'ots-kubernetes';
import { RuntimeError } from '../errors/runtime-error.ts';
import { projectionText } from '../objects/projection-text.ts';

/** A kind was read from the cache that nobody declared: the cache never starts a watch of the whole cluster by itself. */
export class KindNotCachedError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'KIND_NOT_CACHED';

  constructor(kind: Kind) {
    const projection = projectionText(kind);
    super(
      `${kind.kind}${projection === undefined ? '' : ` (${projection})`} of ${kind.apiVersion} is not cached`,
      'Watch it with for, owns or watches of a ControllerBuilder; or declare it with manager.cache.add; ' +
        'or read it live with manager.apiReader.',
    );
  }

  /** @internal */
  override get stacks(): 'own' {
    return 'own';
  }
}
