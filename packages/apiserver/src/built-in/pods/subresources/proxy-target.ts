import type { Endpoints, ObjectReference, Pod } from 'ots-kubernetes/core/v1';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { badRequest, notFound } from '../../../status/errors.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { Machinery } from '../../../registry/machinery.ts';
import { keyOf, resourceName } from '../../../registry/resource.ts';
import type { Target } from '../../../registry/target.ts';
import { viewOf } from '../../../registry/views.ts';
import { podOf } from './container-of.ts';
import { kubeletAddress } from './kubelet-address.ts';

/** A port of a pod that a proxy request leads to. */
export interface ProxyTarget {
  readonly pod: BuiltInObject<Pod>;
  /** The address of the pod. */
  readonly host: string;
  /** As in the request, so perhaps not a number. */
  readonly port: string;
}

/**
 * Finds the target of a proxy request. A Service leads to the first of its pods that has the port.
 *
 * @returns undefined for a node: this server connects to none
 * @throws {StatusError} for what is wrong with the target
 */
export function proxyTarget(machinery: Machinery, target: Target): ProxyTarget | undefined {
  const { resource } = target;
  const { name, port } = splitName(target);
  const named = { ...target, name };
  if (resource.plural === 'services') return targetOfService(machinery, named, { port, id: target.name });
  if (resource.plural === 'pods') {
    const pod = podOf(named);
    const host = pod.status?.podIP ?? '';
    checkAddress(host);
    return { pod, host, port: port === '' ? `${firstPort(pod) ?? 80}` : port };
  }
  checkAddress(kubeletAddress(machinery, target, name).host);
  return undefined;
}

function firstPort({ spec }: BuiltInObject<Pod>): number | undefined {
  const [first] = (spec?.containers ?? []).flatMap(({ ports = [] }) => ports.slice(0, 1));
  return first?.containerPort;
}

/** `name`, `name:port` or `scheme:name:port`. */
function splitName({ resource, name: id }: Target): { name: string; port: string } {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length <= 3 && name !== '' && ['', 'http', 'https'].includes(scheme)) return { name, port };
  throw badRequest(`invalid ${resource.singular} request ${JSON.stringify(id)}`);
}

/** Refuses addresses of this machine, and those that address no machine. */
function checkAddress(address: string): void {
  if (address === '' || /^(127\.|169\.254\.|0\.0\.0\.0$|::1?$|fe80:|localhost$)/i.test(address))
    throw badRequest('address not allowed');
}

/** @param asked the port in the request, and all of its name */
function targetOfService(
  { registry }: Machinery,
  { resource, namespace, name }: Target,
  asked: { port: string; id: string },
): ProxyTarget {
  const key = keyOf(resource, namespace, name);
  const record = resource.table.get(key);
  if (!record) throw notFound(resourceName(resource), name);
  const portName = portNameOf(viewOf(resource, record), asked.port);
  const endpoints = registry.find('', 'v1', 'endpoints');
  const found = endpoints?.table.get(key);
  if (!endpoints || !found) throw notFound(resourceName(resource), name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
  const { subsets = [] } = viewOf(endpoints, found) as BuiltInObject<Endpoints>;
  if (subsets.length === 0) throw unavailable(`no endpoints available for service "${name}"`);
  for (const { addresses = [], ports = [] } of subsets) {
    const port = ports.find((known) => (known.name ?? '') === portName)?.port;
    if (port === undefined) continue;
    for (const { ip, targetRef } of addresses) {
      const pod = podAt(registry, ip, targetRef);
      if (pod) return { pod, host: ip, port: `${port}` };
    }
  }
  throw unavailable(`no endpoints available for service "${asked.id}"`);
}

/** @returns the name of the port with a number; a name as it is */
function portNameOf(service: Record<string, unknown>, port: string): string {
  if (!/^\d+$/.test(port)) return port;
  const { ports = [] } = (service['spec'] ?? {}) as { ports?: { name?: string; port: number }[] };
  const found = ports.find((known) => known.port === Number(port));
  if (found) return found.name ?? '';
  const { name } = service['metadata'] as { name: string };
  throw unavailable(`no service port ${Number(port)} found for service "${name}"`);
}

/** The pod of an endpoint, if it still has the address: an author of Endpoints must not reach anything else. */
function podAt(
  registry: Machinery['registry'],
  ip: string,
  { kind, namespace = '', name = '' }: ObjectReference = {},
): BuiltInObject<Pod> | undefined {
  const pods = registry.find('', 'v1', 'pods');
  const record = kind === 'Pod' ? pods?.table.get(keyOf(pods, namespace, name)) : undefined;
  if (!pods || !record) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
  const pod = viewOf(pods, record) as BuiltInObject<Pod>;
  return pod.status?.podIPs?.some((known) => known.ip === ip) ? pod : undefined;
}

function unavailable(message: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', message);
}
