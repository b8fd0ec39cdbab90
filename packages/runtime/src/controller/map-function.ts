import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { Request } from './reconciler.ts';

/**
 * Maps an object to requests. It must not have side effects: it is called for the old and the new state of an object,
 * and again after a failure.
 */
export type MapFunction<T extends KubernetesObject> = (
  object: DeepReadonly<T>,
) => readonly Request[] | Promise<readonly Request[]>;

/**
 * The request for the object that a label names, in the namespace of the labeled object; none without the label. For
 * map functions: `watches(ConfigMap, (object) => requestsFromLabel(object, 'example.com/my-app'))`.
 */
export function requestsFromLabel({ metadata }: DeepReadonly<KubernetesObject>, label: string): Request[] {
  const name = metadata.labels?.[label];
  return name ? [requestOf({ name, namespace: metadata.namespace })] : [];
}

/** The request for the object with this metadata. */
export function requestOf({
  name = '',
  namespace,
}: {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}): Request {
  return namespace ? { name, namespace } : { name };
}
