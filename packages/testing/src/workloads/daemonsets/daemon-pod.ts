import type { DeepReadonly } from 'ots-runtime';
import type { DaemonSet } from 'ots-kubernetes/apps/v1';
import type { NodeAffinity, PodSpec, PodTemplateSpec, Toleration } from 'ots-kubernetes/core/v1';
import { podFromTemplate } from '../pods/pod-from-template.ts';
import type { CachedPod } from '../pods/pod-state.ts';

/** A DaemonSet of the cache. */
export type CachedDaemonSet = DeepReadonly<DaemonSet> & {
  readonly spec: NonNullable<DeepReadonly<DaemonSet>['spec']>;
};

type ReadonlySpec = DeepReadonly<PodSpec>;
type ReadonlyToleration = DeepReadonly<Toleration>;

/** The revision of a pod: the hash of its template. */
export const hashLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';
const generationAnnotation = 'deprecated.daemonset.template.generation';
const nameField = 'metadata.name';

/** A pod that only its node may run. */
export function daemonPod(set: CachedDaemonSet, node: string, hash: string): CachedPod {
  const { template } = set.spec;
  const generation = templateGeneration(set);
  const labels = {
    ...template.metadata?.labels,
    ...(generation !== undefined && { [generationLabel]: String(generation) }),
    [hashLabel]: hash,
  };
  const spec = {
    ...template.spec!,
    tolerations: daemonTolerations(template.spec!),
    affinity: { ...template.spec!.affinity, nodeAffinity: pinned(template.spec!, node) },
  };
  const placed: DeepReadonly<PodTemplateSpec> = { metadata: { ...template.metadata, labels }, spec };
  return podFromTemplate(placed, set);
}

/** Those of a template and the automatic ones, which let daemons run on nodes in trouble. */
export function daemonTolerations({ tolerations = [], hostNetwork }: ReadonlySpec): ReadonlyToleration[] {
  const automatic = [
    ...['not-ready', 'unreachable'].map((name) => tolerationOf(name, 'NoExecute')),
    ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) =>
      tolerationOf(name, 'NoSchedule'),
    ),
    ...(hostNetwork ? [tolerationOf('network-unavailable', 'NoSchedule')] : []),
  ];
  const isKnown = (toleration: ReadonlyToleration) =>
    tolerations.some(
      ({ key, effect, operator, value = '' }) =>
        key === toleration.key &&
        effect === toleration.effect &&
        operator === toleration.operator &&
        value === '',
    );
  return [...tolerations, ...automatic.filter((toleration) => !isKnown(toleration))];
}

/** The node that a pod runs or will run on; undefined if it does not name one. */
export function targetNode({ spec }: CachedPod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fields = required?.nodeSelectorTerms.flatMap(({ matchFields = [] }) => matchFields) ?? [];
  const { values = [] } = fields.find(({ key, operator }) => key === nameField && operator === 'In') ?? {};
  return values.length === 1 ? values[0] : undefined;
}

/** Whether a pod is of the template with the hash, or of the generation that old clusters counted. */
export function isUpdated({ metadata: { labels } }: CachedPod, set: CachedDaemonSet, hash: string): boolean {
  const generation = templateGeneration(set);
  return (
    labels?.[hashLabel] === hash ||
    (generation !== undefined && labels?.[generationLabel] === String(generation))
  );
}

function templateGeneration({ metadata }: CachedDaemonSet): number | undefined {
  const text = metadata.annotations?.[generationAnnotation] ?? '';
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

function tolerationOf(name: string, effect: 'NoExecute' | 'NoSchedule'): ReadonlyToleration {
  return { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect };
}

function pinned({ affinity }: ReadonlySpec, node: string): DeepReadonly<NodeAffinity> {
  const nodeSelectorTerms = [{ matchFields: [{ key: nameField, operator: 'In' as const, values: [node] }] }];
  return {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  };
}
