import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import { type Cache, type DeepReadonly, type Request, controllerOf, enqueueOwner } from 'ots-runtime';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { LabelSelector } from 'ots-kubernetes/meta/v1';

/** An object that selects what it controls. */
export interface SelectingObject extends KubernetesObject {
  spec?: { selector?: LabelSelector };
}

/**
 * Maps an object to what controls it, if that is of the kind; an orphan to all objects of the kind in its namespace that select it,
 * because one of them may adopt it.
 */
export function ownersOf<T extends SelectingObject>(
  cache: Cache,
  kind: Kind<T>,
): (object: DeepReadonly<KubernetesObject>) => Request[] {
  const controller = enqueueOwner(kind);
  const selecting = selectedBy(cache, kind);
  return (object) => (controllerOf(object) ? controller(object) : selecting(object));
}

/** Maps an object to all objects of a kind in its namespace that select it, in the order of their names. */
export function selectedBy<T extends SelectingObject>(
  cache: Cache,
  kind: Kind<T>,
): (object: DeepReadonly<KubernetesObject>) => Request[] {
  return ({ metadata: { namespace, labels } }) =>
    cache
      .list<SelectingObject>(kind, { namespace })
      .filter(({ spec }) => spec?.selector && labelMatcher(selectorRequirements(spec.selector))(labels))
      .map(({ metadata: { name = '' } }): Request => ({ name, namespace }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
