import { isIPv6 } from 'node:net';
import { groupBy } from 'ots-apimachinery/group-by';
import type { EndpointAddress, EndpointPort, EndpointSubset } from 'ots-kubernetes/core/v1';
import { type ProtobufMessage, protobufMessage } from 'ots-kubernetes/protobuf-messages';
import { type CachedPod, isPodReady } from '../pods/pod-state.ts';
import { endpointPorts } from './endpoint-ports.ts';
import { inHashOrder } from './go-order.ts';
import { type CachedService, addressesOf, hostnameIn } from './service-pods.ts';

/** The subsets of Endpoints: ports that lead to the same addresses are together. */
export function endpointSubsets(service: CachedService, pods: readonly CachedPod[]): EndpointSubset[] {
  const message = subsetMessage();
  const entries = pods.flatMap((pod) => {
    const address = addressOf(service, pod);
    if (!address) return [];
    const isReady = service.spec?.publishNotReadyAddresses === true || isPodReady(pod);
    return portsOf(service, pod).map((port) => ({ port, address, isReady }));
  });
  const byPort = groupBy(entries, ({ port }) => JSON.stringify(port));
  const byAddresses = groupBy(byPort.values(), (behind) =>
    JSON.stringify(behind.map(({ address, isReady }) => [address, isReady])),
  );
  const subsets = [...byAddresses.values()].map((ports): EndpointSubset => {
    const addresses = (areReady: boolean) =>
      ports[0]!
        .filter(({ isReady }) => isReady === areReady)
        .map(({ address }) => address)
        .toSorted(byIpAndUid);
    const known = ports.flatMap(([first]) => first?.port ?? []);
    return withoutEmpty({
      addresses: addresses(true),
      notReadyAddresses: addresses(false),
      ports: inHashOrder(fieldMessage(message, 'ports'), known),
    });
  });
  return inHashOrder(message, subsets);
}

/** A headless Service needs no ports. */
function portsOf(service: CachedService, pod: CachedPod): (EndpointPort | undefined)[] {
  const { ports = [], clusterIP } = service.spec ?? {};
  return ports.length === 0 && clusterIP === 'None' ? [undefined] : endpointPorts(service, pod);
}

function addressOf(service: CachedService, pod: CachedPod): EndpointAddress | undefined {
  const wantsIPv6 = service.spec?.ipFamilies?.[0] === 'IPv6';
  const ip = addressesOf(pod).find((address) => isIPv6(address) === wantsIPv6);
  if (ip === undefined) return undefined;
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const hostname = hostnameIn(service, pod);
  return {
    ip,
    ...(hostname !== undefined && { hostname }),
    nodeName: pod.spec?.nodeName ?? '',
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

function byIpAndUid(a: EndpointAddress, b: EndpointAddress): number {
  const [first, second] = [a, b].map(({ ip, targetRef }) => `${ip} ${targetRef?.uid}`);
  return first! < second! ? -1 : 1;
}

function withoutEmpty(subset: EndpointSubset): EndpointSubset {
  return Object.fromEntries(Object.entries(subset).filter(([, items]) => items.length > 0));
}

function subsetMessage(): ProtobufMessage {
  return fieldMessage(protobufMessage('v1', 'Endpoints'), 'subsets');
}

function fieldMessage(message: ProtobufMessage | undefined, field: string): ProtobufMessage {
  const type = message?.fields.find(({ name }) => name === field)?.type;
  if (typeof type !== 'object') throw new Error(`the table of messages has no ${field}`);
  return type;
}
