import type { Kind } from 'ots-kubernetes';
import { type UnstructuredObject, unstructured } from '../objects/unstructured.ts';

/** A resource as discovery tells of it. */
export interface DiscoveredResource {
  group: string;
  version: string;
  kind: string | undefined;
  plural: string | undefined;
  namespaced: boolean;
}

/** The kind of a resource; none for what holds no objects: a subresource, or something that no kind may be called. */
export function discoveredKind(resource: DiscoveredResource): Kind<UnstructuredObject>[] {
  const { group, version, kind, plural, namespaced } = resource;
  if (!kind || !plural || plural.includes('/')) return [];
  try {
    return [
      unstructured({
        apiVersion: group === '' ? version : `${group}/${version}`,
        kind,
        plural,
        scope: namespaced ? 'Namespaced' : 'Cluster',
      }),
    ];
  } catch {
    // One odd name of one extension must not hide all other kinds.
    return [];
  }
}
