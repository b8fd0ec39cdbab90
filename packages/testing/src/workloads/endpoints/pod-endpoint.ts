import { isIPv6 } from 'node:net';
import type { DeepReadonly } from 'ots-runtime';
import type { Node } from 'ots-kubernetes/core/v1';
import type { Endpoint } from 'ots-kubernetes/discovery/v1';
import { type CachedPod, isPodReady } from '../pods/pod-state.ts';
import type { Slice } from './new-slice.ts';
import { type CachedService, addressesOf, hostnameIn } from './service-pods.ts';

/** The endpoint of a pod in the slices of a Service. */
export function podEndpoint(
  pod: CachedPod,
  node: DeepReadonly<Node> | undefined,
  service: CachedService,
  addressType: Slice['addressType'],
): Endpoint {
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const nodeName = pod.spec?.nodeName;
  const zone = node?.metadata.labels?.['topology.kubernetes.io/zone'];
  const hostname = hostnameIn(service, pod);
  return {
    addresses: addressesOf(pod).filter((ip) => isIPv6(ip) === (addressType === 'IPv6')),
    conditions: { ready, serving, terminating },
    ...(hostname !== undefined && { hostname }),
    ...(nodeName !== undefined && { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(zone !== undefined && zone !== '' && { zone }),
  };
}
