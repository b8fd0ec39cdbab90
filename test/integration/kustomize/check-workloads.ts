import { type Manifest, describeManifest, find, ofKind } from './manifest.ts';
import { type Pods, containersOf, hasLabels, openPort, podsOf } from './pods.ts';

/** Pods can start: their account and volumes exist, they mount what they have, and probes ask on ports that are open. */
export function checkWorkloads(all: readonly Manifest[]): string[] {
  const deployments = ofKind(all, 'Deployment').flatMap((deployment) => {
    const { selector, template } = deployment['spec'];
    if (hasLabels(template.metadata.labels, selector.matchLabels)) return [];
    return `${describeManifest(deployment)} does not select its own pods`;
  });
  const pods = podsOf(all).flatMap((pod) => problemsOf(pod, all).map((problem) => `${pod.owner} ${problem}`));
  return [...deployments, ...pods];
}

function problemsOf(pods: Pods, all: readonly Manifest[]): string[] {
  const { spec, namespace } = pods;
  const account = spec.serviceAccountName;
  const problems = find(all, 'ServiceAccount', account, namespace)
    ? []
    : [`runs as the service account ${account}, which does not exist`];
  for (const { name, configMap } of spec.volumes ?? []) {
    if (configMap && !find(all, 'ConfigMap', configMap.name, namespace))
      problems.push(`has the volume ${name} of the ConfigMap ${configMap.name}, which does not exist`);
  }
  return [...problems, ...containersOf(spec).flatMap((container) => containerProblems(container, pods))];
}

function containerProblems(container: any, pods: Pods): string[] {
  const volumes = new Set((pods.spec.volumes ?? []).map(({ name }: { name: string }) => name));
  const mounts: { name: string }[] = container.volumeMounts ?? [];
  const probed = [container.startupProbe, container.livenessProbe, container.readinessProbe].flatMap(
    (probe) => probe?.httpGet?.port ?? probe?.tcpSocket?.port ?? [],
  );
  return [
    ...mounts
      .filter(({ name }) => !volumes.has(name))
      .map(({ name }) => `mounts ${name}, which is not a volume`),
    ...probed
      .filter((port) => openPort(pods, port) === undefined)
      .map((port) => `is probed on port ${port}, which is closed`),
  ];
}
