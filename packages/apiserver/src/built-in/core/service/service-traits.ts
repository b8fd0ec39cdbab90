import type { ServiceSpec } from 'ots-kubernetes/core/v1';

/** Properties of a Service that follow from its type and addresses. */
export const serviceTraits = {
  /** It has a cluster IP, or is headless. */
  needsClusterIp: ({ type }: ServiceSpec): boolean => type !== 'ExternalName',
  isBalanced: ({ type }: ServiceSpec): boolean => type === 'LoadBalancer',
  isHeadless: ({ clusterIPs = [] }: ServiceSpec): boolean =>
    clusterIPs.length === 1 && clusterIPs[0] === 'None',
  /** Its ports can have node ports. */
  hasNodePorts: ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer',
  /** Its ports get node ports when they request none. */
  allocatesNodePorts: ({ type, allocateLoadBalancerNodePorts = true }: ServiceSpec): boolean =>
    type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts),
  needsHealthCheck: ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
    type === 'LoadBalancer' && externalTrafficPolicy === 'Local',
  isExternallyAccessible: ({ type, externalIPs = [] }: ServiceSpec): boolean =>
    type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && externalIPs.length > 0),
  hasSelector: ({ selector = {} }: ServiceSpec): boolean => Object.keys(selector).length > 0,
};
