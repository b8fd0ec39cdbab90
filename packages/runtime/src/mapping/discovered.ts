import type { Kind } from 'ots-kubernetes';
import { type UnstructuredObject, unstructured } from '../objects/unstructured.ts';

/** A resource as discovery describes it. */
export interface DiscoveredResource {
  group: string;
  version: string;
  kind: string | undefined;
  plural: string | undefined;
  namespaced: boolean;
}

/** Returns the kind of a resource; empty for a subresource, and for a name that is not valid for a kind. */
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
    // An invalid name in one extension must not hide all other kinds.
    return [];
  }
}
