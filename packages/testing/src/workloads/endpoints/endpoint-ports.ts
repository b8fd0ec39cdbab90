import type { DeepReadonly } from 'ots-runtime';
import type { EndpointPort, ServicePort } from 'ots-kubernetes/core/v1';
import type { CachedPod } from '../pods/pod-state.ts';
import type { CachedService } from './service-pods.ts';

/** The ports of a pod behind the ports of a Service; without those whose name the pod does not know. */
export function endpointPorts({ spec }: CachedService, pod: CachedPod): EndpointPort[] {
  return (spec?.ports ?? []).flatMap((servicePort) => {
    const port = portNumber(servicePort, pod);
    if (port === undefined) return [];
    const { name, protocol = 'TCP', appProtocol } = servicePort;
    return {
      ...(name !== undefined && { name }),
      port,
      protocol,
      ...(appProtocol !== undefined && { appProtocol }),
    };
  });
}

function portNumber(
  { port: own, targetPort = own, protocol }: DeepReadonly<ServicePort>,
  { spec }: CachedPod,
): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const ports = [...(spec?.containers ?? []), ...sidecars].flatMap((container) => container.ports ?? []);
  return ports.find((port) => port.name === targetPort && port.protocol === protocol)?.containerPort;
}
