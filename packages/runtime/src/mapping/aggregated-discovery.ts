import type { Kind } from 'ots-kubernetes';
import type { UnstructuredObject } from '../objects/unstructured.ts';
import { discoveredKind } from './discovered.ts';

/** All resources in one document (KEP-3352): what servers have had since Kubernetes 1.26. */
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

/** Asks for the document, and takes the lists of old from a server that does not know it. */
export const acceptAggregated = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** True when the server answered with the document. */
export function isAggregated(answer: { kind?: string }): answer is GroupDiscoveryList {
  return answer.kind === 'APIGroupDiscoveryList';
}

/** The kinds in the document: groups and versions in the server's order of preference. */
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
