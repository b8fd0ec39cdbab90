import type { Kind } from 'ots-kubernetes';
import { RuntimeError } from '../errors/runtime-error.ts';
import { projectionText } from '../objects/projection-of.ts';

/** The cache was read before it was filled, or could not be filled in time. */
export class CacheSyncError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'CACHE_NOT_SYNCED';
}

/** A read of a kind that was not declared: the cache never starts a watch of the whole cluster by itself. */
export class KindNotCachedError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'KIND_NOT_CACHED';

  constructor(kind: Kind) {
    const projection = projectionText(kind);
    super(
      `${kind.kind}${projection === undefined ? '' : ` (${projection})`} of ${kind.apiVersion} is not cached`,
      'Watch it with for, owns or watches of a ControllerBuilder, declare it with manager.cache.add, ' +
        'or read it live with manager.apiReader.',
    );
  }

  /** @internal */
  override get loggedStacks(): 'own' {
    return 'own';
  }
}

/** A read of a namespace that the cache does not watch. */
export class NamespaceNotCachedError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'NAMESPACE_NOT_CACHED';

  constructor(kind: Kind, namespace: string, cached: readonly string[]) {
    super(
      `${kind.kind} is not cached in namespace ${namespace}, only in ${cached.join(', ')}`,
      'Add it to the namespaces of the manager or of manager.cache.add, or read it live with manager.apiReader.',
    );
  }

  /** @internal */
  override get loggedStacks(): 'own' {
    return 'own';
  }
}
