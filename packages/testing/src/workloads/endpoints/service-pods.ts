import type { Cache, DeepReadonly, MapFunction } from 'ots-runtime';
import { Pod, Service } from 'ots-kubernetes/core/v1';
import { type CachedPod, isPodTerminal } from '../pods/pod-state.ts';

/** A Service of the cache. */
export type CachedService = DeepReadonly<Service>;

/** Whether controllers keep the endpoints of a Service: an author keeps those of a Service that selects no pods. */
export function hasManagedEndpoints({ spec }: CachedService): boolean {
  return spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;
}

/** Whether a Service has no address of its own: its name leads to the pods. */
export function isHeadless({ spec }: CachedService): boolean {
  return spec?.clusterIP === undefined || spec.clusterIP === '' || spec.clusterIP === 'None';
}

/** The pods that a Service selects, in the order of their names. */
export function podsOfService(cache: Cache, service: CachedService): CachedPod[] {
  return cache
    .list(Pod, { namespace: service.metadata.namespace })
    .filter((pod) => selects(service, pod))
    .toSorted((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
}

/** Whether a pod may run and has an address. */
export function isReachable(pod: CachedPod): boolean {
  return !isPodTerminal(pod) && addressesOf(pod).length > 0;
}

/** Maps a pod to the Services that select it, in the order of their names. */
export function servicesOfPod(cache: Cache): MapFunction<Pod> {
  return (pod) =>
    cache
      .list(Service, { namespace: pod.metadata.namespace })
      .filter((service) => hasManagedEndpoints(service) && selects(service, pod))
      .map(({ metadata: { name = '', namespace } }) => ({ name, namespace }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The addresses of a pod. */
export function addressesOf({ status }: CachedPod): string[] {
  return (status?.podIPs ?? []).flatMap(({ ip }) => ip ?? []);
}

/** The name of a pod in DNS, if it is one of the Service. */
export function hostnameIn({ metadata }: CachedService, { spec }: CachedPod): string | undefined {
  return spec?.subdomain === metadata.name ? spec?.hostname : undefined;
}

function selects({ spec }: CachedService, { metadata: { labels } }: CachedPod): boolean {
  return Object.entries(spec?.selector ?? {}).every(([key, value]) => labels?.[key] === value);
}
