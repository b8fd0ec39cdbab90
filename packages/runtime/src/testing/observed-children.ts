import type { KubernetesObject } from 'ots-kubernetes';
import { ObservedChildren } from '../composite/observed-children.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/**
 * Creates what the functions of a composite controller or a workflow observe, to call them directly:
 * `sync(app, observedChildren(app, deployment), reconcileContext())`.
 * @param parent the object whose children they are.
 * @param children by default none. They have the namespace of the parent unless they have another.
 */
export function observedChildren(
  parent: DeepReadonly<KubernetesObject>,
  ...children: readonly DeepReadonly<KubernetesObject>[]
): ObservedChildren {
  const { namespace } = parent.metadata;
  const observed = new ObservedChildren(namespace);
  for (const child of children) {
    observed.note(child, { ...child, metadata: { ...(namespace && { namespace }), ...child.metadata } });
  }
  return observed;
}
