import type { Kind } from 'ots-kubernetes';
import { RuntimeError } from '../errors/runtime-error.ts';

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
