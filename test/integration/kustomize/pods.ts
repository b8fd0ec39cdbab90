import { type Manifest, describeManifest } from './manifest.ts';

/** The pods that an object makes. */
export interface Pods {
  /** Of the object that makes them. */
  readonly owner: string;
  readonly namespace: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** A PodSpec, as it comes. */
  readonly spec: any;
}

/** Every template of pods in the objects. */
export function podsOf(all: readonly Manifest[]): Pods[] {
  return all.flatMap((manifest) => {
    const { kind, spec, metadata } = manifest;
    const template = kind === 'Pod' ? manifest : (spec?.jobTemplate?.spec?.template ?? spec?.template);
    if (!template?.spec?.containers) return [];
    return {
      owner: describeManifest(manifest),
      namespace: metadata.namespace,
      labels: template.metadata?.labels ?? {},
      spec: template.spec,
    };
  });
}

/** The pods of a namespace that have all these labels. */
export function selectPods(
  pods: readonly Pods[],
  namespace: string | undefined,
  matchLabels: Readonly<Record<string, string>>,
): Pods[] {
  return pods.filter((pod) => pod.namespace === namespace && hasLabels(pod.labels, matchLabels));
}

/** Whether labels are selected by `matchLabels`. A selector without labels is a bug and selects nothing. */
export function hasLabels(
  labels: Readonly<Record<string, string>>,
  matchLabels: Readonly<Record<string, string>>,
): boolean {
  const wanted = Object.entries(matchLabels);
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}

/** Every container of a PodSpec, also those that run before the others and those that are added for debugging. */
export function containersOf(spec: Pods['spec']): any[] {
  return [spec.initContainers, spec.containers, spec.ephemeralContainers].flatMap((list) => list ?? []);
}

/** The number of the port that pods open under a number or a name; undefined when they open none. */
export function openPort({ spec }: Pods, port: number | string, protocol = 'TCP'): number | undefined {
  const ports = containersOf(spec).flatMap((container) => container.ports ?? []);
  return ports.find(
    ({ name, containerPort, protocol: actual = 'TCP' }) =>
      actual === protocol && (containerPort === port || name === port),
  )?.containerPort;
}
