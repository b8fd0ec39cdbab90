import { isDeepStrictEqual } from 'node:util';
import { isSubdomain } from 'ots-apimachinery/names';
import { type DeepReadonly, controllerReference } from 'ots-runtime';
import type { EndpointPort, EndpointSlice } from 'ots-kubernetes/discovery/v1';
import { type CachedService, isHeadless } from './service-pods.ts';

/** An EndpointSlice of the cache, or one that is to be written. */
export type Slice = DeepReadonly<EndpointSlice>;

/** The label with the name of the Service. */
export const serviceNameLabel = 'kubernetes.io/service-name';
/** The label of endpoints whose Service has no address of its own. */
export const headlessLabel = 'service.kubernetes.io/headless';
const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
const manager = 'endpointslice-controller.k8s.io';
const reservedLabels = new Set([serviceNameLabel, headlessLabel, managedByLabel]);

/** Whether the controller of EndpointSlices keeps a slice. */
export function isManagedSlice({ metadata }: Slice): boolean {
  return metadata.labels?.[managedByLabel] === manager;
}

/** An EndpointSlice of a Service, without endpoints. */
export function newSlice(
  service: CachedService,
  addressType: Slice['addressType'],
  ports: readonly EndpointPort[],
): Slice {
  const { name = '', namespace = '' } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      // A dash makes names easier to read, where it does not make them too long.
      generateName: isSubdomain(`${name}-a`) ? `${name}-` : name,
      namespace,
      labels: sliceLabels(service),
      ownerReferences: [controllerReference(service)],
    },
    addressType,
    endpoints: [],
    ports,
  };
}

/** The labels of the slices of a Service: its own, and those of the controller. */
export function sliceLabels(service: CachedService): Record<string, string> {
  return {
    ...withoutReserved(service.metadata.labels),
    ...(isHeadless(service) && { [headlessLabel]: '' }),
    [serviceNameLabel]: service.metadata.name ?? '',
    [managedByLabel]: manager,
  };
}

/** Whether a slice has the labels of its Service. A Service that becomes headless is no reason to write a slice. */
export function hasLabelsOf(service: CachedService, { metadata }: Slice): boolean {
  return isDeepStrictEqual(withoutReserved(metadata.labels), withoutReserved(service.metadata.labels));
}

function withoutReserved(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !reservedLabels.has(key)));
}
