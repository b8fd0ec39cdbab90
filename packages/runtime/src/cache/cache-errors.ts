import type { Kind } from 'ots-kubernetes';
import { RuntimeError } from '../errors/runtime-error.ts';
import { type ObjectKey, keyText } from '../objects/object-key.ts';
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

/** How many namespaces an error names. */
const maxNamed = 5;

/** The namespaces of a cache. */
interface CachedNamespaces {
  names: readonly string[];
  /** Whether they change at run time. */
  isDynamic: boolean;
}

/** A read of a namespace that the cache does not watch. */
export class NamespaceNotCachedError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'NAMESPACE_NOT_CACHED';
  /** The namespace. */
  readonly namespace: string;
  /**
   * Whether the namespaces of the cache change at run time: the namespace may have left.
   * @internal
   */
  readonly isDynamic: boolean;

  /** @internal */
  constructor(kind: Kind, namespace: string, { names, isDynamic }: CachedNamespaces) {
    const named = names.slice(0, maxNamed).join(', ');
    const others = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
    const cached = names.length > 0 ? `only in ${named}${others}` : 'which has no namespaces now';
    super(
      `${kind.kind} is not cached in namespace ${namespace}, ${cached}`,
      `${isDynamic ? 'Select it with its labels or the NamespaceList' : 'Add it to the namespaces of the manager or of manager.cache.add'}, or read it live with manager.apiReader.`,
    );
    this.namespace = namespace;
    this.isDynamic = isDynamic;
  }

  /** @internal */
  override get loggedStacks(): 'own' {
    return 'own';
  }
}

/** A read of an object that exists, and that another replica works on: this one does not cache it. */
export class ObjectNotCachedError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'OBJECT_NOT_CACHED';
  /** What was read. */
  readonly key: ObjectKey;

  /** @internal */
  constructor(kind: Kind, key: ObjectKey) {
    super(
      `The ${kind.kind} ${keyText(key)} is not cached: another replica works on it`,
      'Read it live with manager.apiReader.',
    );
    this.key = key;
  }

  /** @internal */
  override get loggedStacks(): 'own' {
    return 'own';
  }
}
