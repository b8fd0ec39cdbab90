import type { KubernetesObject } from 'ots-kubernetes';
import type { ObjectReference } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** Returns a reference to the object and its incarnation; undefined without a kind or a name. */
export function objectReference(object: DeepReadonly<KubernetesObject>): ObjectReference | undefined {
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, uid, resourceVersion } = metadata;
  if (!apiVersion || !kind || !name) return undefined;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace && { namespace }),
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  };
}

/** Returns a key that is the same for all versions of an incarnation of an object. */
export function referenceKey(reference: ObjectReference | undefined): string {
  const { apiVersion, kind, namespace, name, uid } = reference ?? {};
  return [apiVersion, kind, namespace, name, uid].join(' ');
}
