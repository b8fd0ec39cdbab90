import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { groupOf } from '../objects/group-of.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { requestOf } from './map-function.ts';
import type { Request } from './reconciler.ts';

/** Which owners of an object count. */
export interface OwnerOptions {
  /** True maps to every owner of the kind, not only to the one that controls the object; false by default. */
  matchEveryOwner?: boolean | undefined;
}

/**
 * Maps an object to its owner of this kind, in whatever version the reference names it: by default only the one that
 * controls the object.
 */
export function enqueueOwner(
  owner: Kind,
  { matchEveryOwner = false }: OwnerOptions = {},
): (object: DeepReadonly<KubernetesObject>) => Request[] {
  return ({ metadata: { namespace, ownerReferences = [] } }) =>
    ownerReferences
      .filter(
        ({ controller, kind, apiVersion }) =>
          (matchEveryOwner || controller === true) &&
          kind === owner.kind &&
          groupOf(apiVersion) === owner.group,
      )
      .map(({ name }) =>
        requestOf({ name, namespace: owner.scope === 'Namespaced' ? namespace : undefined }),
      );
}
