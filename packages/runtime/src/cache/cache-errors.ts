import type { Kind } from 'ots-kubernetes';
import { RuntimeError } from '../errors/runtime-error.ts';
import { projectionText } from '../objects/projection-of.ts';

/** The cache was read before it was filled, or could not be filled in time. */
export class CacheSyncError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'CACHE_NOT_SYNCED';
}

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

/** A namespace was read from the cache that is not among those that it watches. */
export class NamespaceNotCachedError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'NAMESPACE_NOT_CACHED';

  constructor(kind: Kind, namespace: string, cached: readonly string[]) {
    super(
      `${kind.kind} in the namespace ${namespace} is not cached, only in ${cached.join(', ')}`,
      'Add it to the namespaces of the manager or of manager.cache.add, or read it live with manager.apiReader.',
    );
  }

  /** @internal */
  override get stacks(): 'own' {
    return 'own';
  }
}
