import type { ServiceSpec } from 'ots-kubernetes/core/v1';
import { jsonEqual } from '../../../json/json-equal.ts';
import { serviceTraits } from './service-traits.ts';

type Trait = (spec: ServiceSpec) => boolean;

/**
 * Drops fields that do not apply to the new type of a Service, unless the update changed them: that is an error
 * then. Changes `spec`.
 */
export function dropInapplicable(spec: ServiceSpec, old: ServiceSpec): void {
  const loses = (trait: Trait) => trait(old) && !trait(spec);
  if (loses(serviceTraits.needsClusterIp)) {
    if (spec.clusterIP === old.clusterIP && jsonEqual(spec.clusterIPs ?? [], old.clusterIPs ?? [])) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    dropUnchanged(spec, old, ['ipFamilies', 'ipFamilyPolicy']);
  }
  if (loses(serviceTraits.hasNodePorts)) dropNodePorts(spec, old);
  if (loses(serviceTraits.needsHealthCheck)) dropUnchanged(spec, old, ['healthCheckNodePort']);
  if (loses(serviceTraits.isBalanced))
    dropUnchanged(spec, old, ['allocateLoadBalancerNodePorts', 'loadBalancerClass']);
  if (loses(serviceTraits.isExternallyAccessible)) dropUnchanged(spec, old, ['externalTrafficPolicy']);
}

function dropUnchanged(spec: ServiceSpec, old: ServiceSpec, fields: readonly (keyof ServiceSpec)[]): void {
  for (const field of fields) if (jsonEqual(spec[field], old[field])) delete spec[field];
}

/** Ports can be added and removed, unless one requests a node port that the Service did not have. */
function dropNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const had = new Set((old.ports ?? []).map(({ nodePort = 0 }) => nodePort));
  const { ports = [] } = spec;
  if (ports.some(({ nodePort }) => nodePort && !had.has(nodePort))) return;
  for (const port of ports) delete port.nodePort;
}
