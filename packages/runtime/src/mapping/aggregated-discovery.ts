import type { Kind } from 'ots-kubernetes';
import type { UnstructuredObject } from '../objects/unstructured.ts';
import { discoveredKind } from './discovered.ts';

/** All resources in one document (KEP-3352), supported since Kubernetes 1.26. */
interface GroupDiscoveryList {
  kind: 'APIGroupDiscoveryList';
  items?: GroupDiscovery[] | null;
}

interface GroupDiscovery {
  metadata?: { name?: string };
  versions?: VersionDiscovery[] | null;
}

interface VersionDiscovery {
  version: string;
  resources?:
    | {
        resource?: string;
        scope?: string;
        responseKind?: { group?: string; version?: string; kind?: string };
      }[]
    | null;
}

/** Requests the document, and accepts the older lists from a server that does not support it. */
export const acceptAggregated = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** Returns true when the server responded with the document. */
export function isAggregated(response: { kind?: string }): response is GroupDiscoveryList {
  return response.kind === 'APIGroupDiscoveryList';
}

/** Returns the kinds in the document, in the server's order of preference of groups and versions. */
export function kindsOfAggregated({ items }: GroupDiscoveryList): Kind<UnstructuredObject>[] {
  return (items ?? []).flatMap(({ metadata, versions }) =>
    (versions ?? []).flatMap(({ version, resources }) =>
      (resources ?? []).flatMap(({ resource, scope, responseKind }) =>
        discoveredKind({
          group: metadata?.name ?? '',
          version,
          kind: responseKind?.kind,
          plural: resource,
          namespaced: scope === 'Namespaced',
        }),
      ),
    ),
  );
}
