import type { ServiceSpec } from 'ots-kubernetes/core/v1';

/** What the type of a Service and its addresses make of it. */
export const serviceTraits = {
  /** It has an address of the cluster, or none on purpose. */
  needsClusterIp: ({ type }: ServiceSpec): boolean => type !== 'ExternalName',
  isBalanced: ({ type }: ServiceSpec): boolean => type === 'LoadBalancer',
  isHeadless: ({ clusterIPs = [] }: ServiceSpec): boolean =>
    clusterIPs.length === 1 && clusterIPs[0] === 'None',
  /** Its ports can be ports of nodes. */
  hasNodePorts: ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer',
  /** Its ports are given ports of nodes when they name none. */
  allocatesNodePorts: ({ type, allocateLoadBalancerNodePorts = true }: ServiceSpec): boolean =>
    type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts),
  needsHealthCheck: ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
    type === 'LoadBalancer' && externalTrafficPolicy === 'Local',
  isExternallyAccessible: ({ type, externalIPs = [] }: ServiceSpec): boolean =>
    type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && externalIPs.length > 0),
  hasSelector: ({ selector = {} }: ServiceSpec): boolean => Object.keys(selector).length > 0,
};
