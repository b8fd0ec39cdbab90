import type { ServiceSpec } from 'ots-kubernetes/core/v1';
import { jsonEqual } from '../../../json/json-equal.ts';
import { serviceTraits } from './service-traits.ts';

/** Keeps allocated fields that an update omits, so applying the same manifest again changes nothing. Changes `spec`. */
export function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  const { clusterIP, clusterIPs, healthCheckNodePort } = old;
  if (serviceTraits.needsClusterIp(old) && serviceTraits.needsClusterIp(spec)) {
    if (!spec.clusterIP && clusterIP) spec.clusterIP = clusterIP;
    if (!spec.clusterIPs?.length && clusterIPs) spec.clusterIPs = clusterIPs;
  }
  if (serviceTraits.allocatesNodePorts(old) && serviceTraits.allocatesNodePorts(spec))
    keepNodePorts(spec, old);
  const isChecked = serviceTraits.needsHealthCheck(old) && serviceTraits.needsHealthCheck(spec);
  if (isChecked && !spec.healthCheckNodePort && healthCheckNodePort)
    spec.healthCheckNodePort = healthCheckNodePort;
}

/** Aligns `clusterIPs` with the older `clusterIP` if the client only wrote the latter. Changes `spec`. */
export function alignClusterIps(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (!old) {
    if (clusterIP !== '' && clusterIPs.length === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  const { clusterIP: oldIp = '', clusterIPs: oldIps = [] } = old;
  if (oldIps.length > 0 && clusterIPs.length === 0 && clusterIP === oldIp) spec.clusterIPs = oldIps;
  if (clusterIP === oldIp || !jsonEqual(clusterIPs, oldIps)) return;
  if (clusterIP === '') delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

/** Ports are identified by name; a port that another one took over is not kept. */
function keepNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const { ports = [] } = spec;
  const sent = new Set(ports.map(({ nodePort }) => nodePort));
  const byName = new Map((old.ports ?? []).map(({ name = '', nodePort }) => [name, nodePort]));
  for (const port of ports) {
    const kept = byName.get(port.name ?? '');
    if (!port.nodePort && kept && !sent.has(kept)) port.nodePort = kept;
  }
}
