import { EndpointSlice } from 'ots-kubernetes/discovery/v1';
import type { Cache } from 'ots-runtime';
import { serviceNameLabel } from '../endpoints/new-slice.ts';
import type { CachedService } from '../endpoints/service-pods.ts';

/** A pod behind a Service, or what an author has listed in its place. */
interface ReadyEndpoint {
  readonly address: string;
  /** Its name in DNS before that of the Service. */
  readonly hostname: string | undefined;
  /** By the names of the ports of the Service. */
  readonly ports: ReadonlyMap<string, number>;
}

/** The endpoints of a Service that are ready, in the order of their slices. */
export function readyEndpoints(cache: Cache, { metadata }: CachedService): readonly ReadyEndpoint[] {
  const { name = '', namespace } = metadata;
  return cache
    .list(EndpointSlice, { namespace, labelSelector: { matchLabels: { [serviceNameLabel]: name } } })
    .toSorted((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1))
    .flatMap(({ endpoints, ports }) => {
      const numbers = new Map((ports ?? []).map((port) => [port.name ?? '', port.port ?? 0]));
      return (endpoints ?? [])
        .filter(({ conditions }) => conditions?.ready !== false)
        .flatMap(({ addresses, hostname }) =>
          addresses.slice(0, 1).map((address) => ({ address, hostname, ports: numbers })),
        );
    });
}
