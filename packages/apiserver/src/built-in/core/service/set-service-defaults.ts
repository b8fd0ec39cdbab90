import type { Service, ServiceSpec, ServiceStatus } from 'ots-kubernetes/core/v1';
import { serviceTraits } from './service-traits.ts';

const affinityTimeout = 10_800;

/** Sets the defaults that need no allocation. Changes the Service. */
export function setServiceDefaults(service: Service): void {
  const spec = (service.spec ??= {});
  setAffinity(spec);
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port;
  }
  if (serviceTraits.isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (spec.type === 'ClusterIP' || serviceTraits.hasNodePorts(spec)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  setIngressModes(service.status);
}

function setAffinity(spec: ServiceSpec): void {
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  const { clientIP } = spec.sessionAffinityConfig ?? {};
  if (spec.sessionAffinity === 'ClientIP' && clientIP?.timeoutSeconds === undefined)
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinityTimeout } };
}

function setIngressModes(status: ServiceStatus | undefined): void {
  for (const ingress of status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
}
