import { type Manifest, describeManifest, ofKind } from './manifest.ts';
import { type Pods, hasLabels, openPort, podsOf, selectPods } from './pods.ts';

/** Services lead to open ports, network policies let in what services lead to and nothing else, monitors find services. */
export function checkNetwork(all: readonly Manifest[]): string[] {
  return [...checkServices(all), ...checkPolicies(all), ...checkMonitors(all)];
}

function checkServices(all: readonly Manifest[]): string[] {
  return ofKind(all, 'Service').flatMap((service) => {
    const name = describeManifest(service);
    const pods = podsOfService(service, all);
    if (pods.length === 0) return `${name} selects no pods`;
    return service['spec'].ports.flatMap(({ port, targetPort = port, protocol }: any) =>
      pods
        .filter((pod) => openPort(pod, targetPort, protocol) === undefined)
        .map((pod) => `${name} leads to port ${targetPort}, which ${pod.owner} does not open`),
    );
  });
}

/** The pods that a service leads to. */
export function podsOfService(service: Manifest, all: readonly Manifest[]): Pods[] {
  return selectPods(podsOf(all), service.metadata.namespace, service['spec'].selector ?? {});
}

function checkPolicies(all: readonly Manifest[]): string[] {
  const policies = ofKind(all, 'NetworkPolicy');
  const pods = podsOf(all);
  const wrong = policies.flatMap((policy) => {
    const selected = podsOfPolicy(policy, pods);
    if (selected.length === 0) return `${describeManifest(policy)} selects no pods`;
    return selected.flatMap((pod) =>
      portsOfPolicy(policy)
        .filter(({ port, protocol }) => openPort(pod, port, protocol) === undefined)
        .map(
          ({ port }) => `${describeManifest(policy)} lets in port ${port}, which ${pod.owner} does not open`,
        ),
    );
  });
  return [...wrong, ...pods.flatMap((pod) => checkReachable(pod, policies, all))];
}

/** Once a policy selects pods, every port of theirs that no policy names is closed: also one that a service leads to. */
function checkReachable(pod: Pods, policies: readonly Manifest[], all: readonly Manifest[]): string[] {
  const own = policies.filter((policy) => podsOfPolicy(policy, [pod]).length > 0);
  if (own.length === 0) return [];
  const allowed = new Set(
    own.flatMap(portsOfPolicy).map(({ port, protocol }) => openPort(pod, port, protocol)),
  );
  return ofKind(all, 'Service').flatMap((service) => {
    if (!podsOfService(service, all).some(({ owner }) => owner === pod.owner)) return [];
    return service['spec'].ports
      .filter(
        ({ port, targetPort = port, protocol }: any) => !allowed.has(openPort(pod, targetPort, protocol)),
      )
      .map(({ name }: any) => `no network policy lets in port ${name} of ${describeManifest(service)}`);
  });
}

function podsOfPolicy({ metadata, spec }: Manifest, pods: readonly Pods[]): Pods[] {
  return selectPods(pods, metadata.namespace, spec.podSelector.matchLabels ?? {});
}

function portsOfPolicy({ spec }: Manifest): { port: number | string; protocol?: string }[] {
  return spec.ingress.flatMap(({ ports }: any) => ports ?? []);
}

function checkMonitors(all: readonly Manifest[]): string[] {
  return ofKind(all, 'ServiceMonitor').flatMap((monitor) => {
    const { selector, endpoints } = monitor['spec'];
    const services = ofKind(all, 'Service').filter(
      ({ metadata }) =>
        metadata.namespace === monitor.metadata.namespace &&
        hasLabels(metadata.labels ?? {}, selector.matchLabels ?? {}),
    );
    const name = describeManifest(monitor);
    if (services.length !== 1) return `${name} selects ${services.length} services`;
    const ports = services[0]?.['spec'].ports.map((port: any) => port.name);
    return endpoints
      .filter(({ port }: any) => !ports.includes(port))
      .map(({ port }: any) => `${name} scrapes port ${port}, which the service does not have`);
  });
}
