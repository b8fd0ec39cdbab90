import type { Endpoints } from 'ots-kubernetes/core/v1';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { badRequest, notFound } from '../../../status/errors.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { Machinery } from '../../../registry/machinery.ts';
import { keyOf, resourceName } from '../../../registry/resource.ts';
import type { Target } from '../../../registry/target.ts';
import { viewOf } from '../../../registry/views.ts';
import { podOf } from './container-of.ts';
import { kubeletAddress, unreachable } from './kubelet-address.ts';

/**
 * Validates the target of a proxy request, and refuses it: this server has no network with pods.
 *
 * @throws {StatusError} always: what is wrong with the target, or that it cannot be reached
 */
export function refuseProxy(machinery: Machinery, target: Target): never {
  const { resource } = target;
  const { name, port } = splitName(target);
  const named = { ...target, name };
  if (resource.plural === 'nodes') checkAddress(kubeletAddress(machinery, target, name).host);
  else if (resource.plural === 'pods') checkAddress(podOf(named).status?.podIP ?? '');
  else checkService(machinery, named, port);
  throw unavailable(`error trying to reach service: ${unreachable}`);
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

function checkService({ registry }: Machinery, { resource, namespace, name }: Target, port: string): void {
  const key = keyOf(resource, namespace, name);
  const record = resource.table.get(key);
  if (!record) throw notFound(resourceName(resource), name);
  if (/^\d+$/.test(port) && !portsOf(viewOf(resource, record)).includes(Number(port)))
    throw unavailable(`no service port ${Number(port)} found for service "${name}"`);
  const endpoints = registry.find('', 'v1', 'endpoints');
  const found = endpoints?.table.get(key);
  if (!endpoints || !found) throw notFound(resourceName(resource), name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
  const { subsets = [] } = viewOf(endpoints, found) as BuiltInObject<Endpoints>;
  if (!subsets.some(({ addresses = [] }) => addresses.length > 0))
    throw unavailable(`no endpoints available for service "${name}"`);
}

function portsOf(service: Record<string, unknown>): unknown[] {
  const { ports = [] } = (service['spec'] ?? {}) as { ports?: { port: number }[] };
  return ports.map(({ port }) => port);
}

function unavailable(message: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', message);
}
