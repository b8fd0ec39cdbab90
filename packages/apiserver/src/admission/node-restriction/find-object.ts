import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import type { CSIDriver } from 'ots-kubernetes/storage/v1';
import type { OwnMachinery } from '../../registry/machinery.ts';
import { keyOf } from '../../registry/resource.ts';
import { notFound } from '../../status/errors.ts';

interface Kinds {
  pods: Pod;
  nodes: Node;
  persistentvolumeclaims: PersistentVolumeClaim;
  persistentvolumes: PersistentVolume;
  csidrivers: CSIDriver;
}

/**
 * A stored object.
 *
 * @param namespace empty for a cluster-scoped one
 * @throws {StatusError} 404, in which the resource is in the singular as in the caches of kube-apiserver
 */
export function findObject<Plural extends keyof Kinds>(
  { registry }: OwnMachinery,
  plural: Plural,
  namespace: string,
  name: string,
): Kinds[Plural] {
  const group = plural === 'csidrivers' ? 'storage.k8s.io' : '';
  const resource = registry.find(group, 'v1', plural);
  const record = resource?.table.get(keyOf(resource, namespace, name));
  if (!resource || !record) throw notFound({ group, name: resource?.singular ?? plural }, name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored objects are decoded and valid
  return record.object as unknown as Kinds[Plural];
}
