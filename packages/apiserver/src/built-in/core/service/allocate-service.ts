import type { ServicePort, ServiceSpec } from 'ots-kubernetes/core/v1';
import { internalError } from '../../../status/errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { StatusError } from '../../../status/status-error.ts';
import { parseIp } from '../../validation/ip-address.ts';
import { ServiceAllocations } from './service-allocations.ts';
import { serviceTraits } from './service-traits.ts';

const taken = 'provided port is already allocated';

/**
 * Allocates the cluster IPs of a Service: the requested ones, or free ones. Changes `spec`.
 *
 * @returns why the requested ones are not available
 * @throws {StatusError} 500 when all are taken
 */
export function allocateClusterIps(
  name: string,
  spec: ServiceSpec,
  allocations: ServiceAllocations,
): FieldError[] {
  if (!serviceTraits.needsClusterIp(spec) || spec.clusterIPs?.[0] === 'None') return [];
  const addresses = [...(spec.clusterIPs ?? [])];
  for (const index of (spec.ipFamilies ?? []).keys()) {
    const asked = addresses[index];
    const problem = asked ? problemOfAddress(asked, allocations) : undefined;
    if (problem !== undefined)
      return [invalid('spec.clusterIPs', addresses, `failed to allocate IP ${asked}: ${problem}`)];
    const address = asked || allocations.freeAddress();
    if (address === undefined)
      throw internalError(`failed to allocate a serviceIP for Service "${name}": range is full`);
    addresses[index] = address;
  }
  spec.clusterIPs = addresses;
  if (addresses[0] !== undefined) spec.clusterIP = addresses[0];
  return [];
}

function problemOfAddress(address: string, allocations: ServiceAllocations): string | undefined {
  const canonical = parseIp(address)?.bytes.join('.') ?? '';
  if (!ServiceAllocations.isClusterIp(canonical))
    return 'the provided network does not match the current range';
  return allocations.isAddressTaken(canonical) ? 'provided IP is already allocated' : undefined;
}

/**
 * Allocates the node ports of a Service: the requested ones, or free ones. Changes `spec`.
 *
 * @param old undefined when the Service is new
 * @returns why the requested ones are not available
 * @throws {StatusError} 500 when all are taken, or it requests one of them twice
 */
export function allocateNodePorts(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  allocations: ServiceAllocations,
): FieldError[] {
  const own = new Set<number>();
  const errors = serviceTraits.hasNodePorts(spec)
    ? old
      ? updatePorts(spec, old, { allocations, own })
      : initPorts(spec, { allocations, own })
    : [];
  if (errors.length === 0) allocateHealthCheck(spec, old, { allocations, own });
  return errors;
}

interface Ports {
  allocations: ServiceAllocations;
  /** The ports that this Service has so far. */
  own: Set<number>;
}

/** TCP and UDP ports of the same number share a node port. */
function initPorts(spec: ServiceSpec, ports: Ports): FieldError[] {
  const list = spec.ports ?? [];
  const byNumber = new Map<number, number>();
  for (const [index, port] of list.entries()) {
    const shared = byNumber.get(port.port);
    if (!port.nodePort && !serviceTraits.allocatesNodePorts(spec)) continue;
    if (shared === undefined) {
      const asked = list.find((other) => other.port === port.port && other.nodePort)?.nodePort;
      if (asked !== undefined) port.nodePort = asked;
      const errors = givePort(port, index, ports);
      if (errors.length > 0) return errors;
      if (port.nodePort) byNumber.set(port.port, port.nodePort);
    } else if (port.nodePort && port.nodePort !== shared) {
      const errors = givePort(port, index, ports);
      if (errors.length > 0) return errors;
    } else port.nodePort = shared;
  }
  return [];
}

function updatePorts(spec: ServiceSpec, old: ServiceSpec, ports: Ports): FieldError[] {
  const had = new Set((old.ports ?? []).map(({ nodePort }) => nodePort));
  const pairs = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    if (!port.nodePort && !serviceTraits.allocatesNodePorts(spec)) continue;
    const isKept = port.nodePort && (had.has(port.nodePort) || ports.own.has(port.nodePort));
    const errors = isKept ? [] : givePort(port, index, ports);
    if (errors.length > 0) return errors;
    const pair = `${port.protocol} ${port.nodePort}`;
    if (pairs.has(pair)) throw new StatusError(500, undefined, `duplicate nodePort: {${pair}}`);
    pairs.add(pair);
  }
  return [];
}

function givePort(port: ServicePort, index: number, ports: Ports): FieldError[] {
  const asked = port.nodePort || undefined;
  const problem = asked === undefined ? undefined : problemOfPort(asked, ports);
  if (problem !== undefined) return [invalid(`spec.ports[${index}].nodePort`, asked, problem)];
  port.nodePort = asked ?? freePort(ports, 'failed to allocate a nodePort');
  ports.own.add(port.nodePort);
  return [];
}

function allocateHealthCheck(spec: ServiceSpec, old: ServiceSpec | undefined, ports: Ports): void {
  if (!serviceTraits.needsHealthCheck(spec) || (old && serviceTraits.needsHealthCheck(old))) return;
  const { healthCheckNodePort: asked } = spec;
  const problem = asked ? problemOfPort(asked, ports) : undefined;
  if (problem !== undefined)
    throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
  spec.healthCheckNodePort = asked || freePort(ports, 'failed to allocate a HealthCheck NodePort 0');
}

function problemOfPort(port: number, { allocations, own }: Ports): string | undefined {
  if (!ServiceAllocations.isNodePort(port))
    return `provided port is not in the valid range. The range of valid ports is ${ServiceAllocations.nodePortRange}`;
  return own.has(port) || allocations.isPortTaken(port) ? taken : undefined;
}

function freePort({ allocations, own }: Ports, failure: string): number {
  const port = allocations.freePort(own);
  if (port === undefined) throw internalError(`${failure}: range is full`);
  return port;
}
