import type { Node } from 'ots-kubernetes/core/v1';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { notFound } from '../../../status/errors.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { Machinery } from '../../../registry/machinery.ts';
import { resourceName } from '../../../registry/resource.ts';
import type { Target } from '../../../registry/target.ts';
import { viewOf } from '../../../registry/views.ts';

const preferred = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const defaultPort = 10250;

/** Takes the place of a connection error: everything before the connection works. */
export const unreachable = 'this server connects to no node';

/**
 * The address of a node's kubelet.
 *
 * @param target the requested object, which a real server reports as missing
 * @throws {StatusError} 404 for a node that does not exist, 500 for one without an address
 */
export function kubeletAddress(
  { registry }: Machinery,
  { resource }: Target,
  nodeName: string,
): { host: string; port: number } {
  const nodes = registry.find('', 'v1', 'nodes');
  const record = nodes?.table.get(nodeName);
  if (!nodes || !record) throw notFound(resourceName(resource), nodeName);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
  const { status } = viewOf(nodes, record) as BuiltInObject<Node>;
  const addresses = status?.addresses ?? [];
  const [host] = preferred.flatMap((type) =>
    addresses.filter((address) => address.type === type).map(({ address }) => address),
  );
  if (host === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw new StatusError(500, undefined, `no preferred addresses found; known addresses: [${known}]`);
  }
  return { host, port: status?.daemonEndpoints?.kubeletEndpoint?.Port || defaultPort };
}
