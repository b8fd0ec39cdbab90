import { resources } from 'ots-kubernetes/resources';
import type { ApiObject } from '../json/api-object.ts';
import type { BuiltObject } from './built-object.ts';
import type { Kustomization } from './kustomization.ts';

/** Kinds whose names kustomize does not prefix: theirs are given. */
const unprefixed = new Set(['CustomResourceDefinition', 'Namespace', 'APIService']);

/** Sets the namespace, the prefix of the names and the labels of a kustomization. Changes the objects. */
export function setNames(
  objects: readonly BuiltObject[],
  { namespace, namePrefix, labels }: Kustomization,
): void {
  for (const { object } of objects) {
    const { metadata, kind } = object;
    if (namespace !== undefined && kind === 'Namespace') metadata.name = namespace;
    else if (namespace !== undefined && !isClusterScoped(object)) metadata.namespace = namespace;
    if (namePrefix !== '' && !unprefixed.has(kind)) metadata.name = `${namePrefix}${metadata.name ?? ''}`;
    if (Object.keys(labels).length > 0) metadata.labels = { ...metadata.labels, ...labels };
  }
}

/** Custom resources count as namespaced, as in kustomize. */
function isClusterScoped({ apiVersion, kind }: ApiObject): boolean {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return resources.some(
    (entry) =>
      entry.kind === kind && entry.group === group && entry.version === version && entry.scope === 'Cluster',
  );
}
