import { isSubdomain } from 'ots-apimachinery/names';
import { type DeepReadonly, controllerReference } from 'ots-runtime';
import type { KubernetesObject } from 'ots-kubernetes';
import type { Pod, PodTemplateSpec } from 'ots-kubernetes/core/v1';

/**
 * A pod as controllers create it: with the labels, annotations, finalizers and spec of the template, and a name that the server
 * generates from the name of the owner.
 *
 * @param owner controls the pod
 * @param generateName Default: the name of the owner and a dash.
 */
export function podFromTemplate(
  template: DeepReadonly<PodTemplateSpec>,
  owner: DeepReadonly<KubernetesObject>,
  generateName: string = podNamePrefix(owner.metadata.name ?? ''),
): DeepReadonly<Pod> {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName,
      ...(owner.metadata.namespace !== undefined && { namespace: owner.metadata.namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [controllerReference(owner)],
    },
    ...(template.spec && { spec: template.spec }),
  };
}

/** A dash makes names easier to read, where it does not make them too long. */
function podNamePrefix(owner: string): string {
  return isSubdomain(`${owner}a`) ? `${owner}-` : owner;
}
