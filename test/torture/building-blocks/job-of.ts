import type { Job } from 'ots-kubernetes/batch/v1';
import { type DeepReadonly, type KubernetesObject, controllerReference } from 'ots-runtime';

/** A Job of an object, which does one thing once and ends. */
export function jobOf(
  owner: DeepReadonly<KubernetesObject>,
  what: string,
): Job & { metadata: { name: string; namespace: string } } {
  const { name = '', namespace = '' } = owner.metadata;
  const containers = [{ name: 'main', image: 'nodetool', args: [what] }];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${name}-${what}`, namespace, ownerReferences: [controllerReference(owner)] },
    spec: { template: { spec: { restartPolicy: 'Never', containers } } },
  };
}
