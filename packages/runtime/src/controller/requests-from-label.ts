import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { Request } from './reconciler.ts';
import { requestOf } from './request-of.ts';

/**
 * The request for the object that a label names, in the namespace of the labelled object; none without the label.
 * For map functions: `watches(ConfigMap, (object) => requestsFromLabel(object, 'example.com/my-app'))`.
 */
export function requestsFromLabel({ metadata }: DeepReadonly<KubernetesObject>, label: string): Request[] {
  const name = metadata.labels?.[label];
  return name ? [requestOf({ name, namespace: metadata.namespace })] : [];
}
