import type { NodeSelectorTerm, PodAffinity, PodSpec } from 'ots-kubernetes/core/v1';
import { labelValue } from 'ots-apimachinery/names';

const deprecatedLabels = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    'failure-domain.beta.kubernetes.io/region',
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    'failure-domain.beta.kubernetes.io/zone',
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    'beta.kubernetes.io/instance-type',
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  [
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
    'deprecated since v1.22; use Taints and Tolerations instead',
  ],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);
const matchesNothing = 'a null labelSelector results in matching no pod';

/** Warns about deprecated node labels, and about selectors that select nothing. */
export function warningsForPlacement(spec: PodSpec, path: string): string[] {
  const { nodeSelector = {}, affinity = {}, topologySpreadConstraints = [] } = spec;
  const { nodeAffinity } = affinity;
  const nodes = `${path}.affinity.nodeAffinity`;
  const required = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...Object.keys(nodeSelector).flatMap((key) => warningsForLabel(key, `${path}.nodeSelector[${key}]`, '')),
    ...required.flatMap((term, index) =>
      warningsForTerm(
        term,
        `${nodes}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`,
      ),
    ),
    ...preferred.flatMap(({ preference }, index) => {
      const place = `${nodes}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`;
      return [...warningsForTerm(preference, place), ...warningsForValues(preference, place)];
    }),
    ...topologySpreadConstraints.flatMap(({ topologyKey, labelSelector }, index) => {
      const place = `${path}.topologySpreadConstraints[${index}]`;
      return [
        ...warningsForLabel(topologyKey, `${place}.topologyKey`, `${topologyKey} is `),
        ...(labelSelector ? [] : [`${place}.labelSelector: ${matchesNothing}`]),
      ];
    }),
    ...(['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) =>
      warningsForPods(affinity[kind] ?? {}, `${path}.affinity.${kind}`),
    ),
  ];
}

/** @param subject the start of the message */
function warningsForLabel(key: string, field: string, subject: string): string[] {
  const message = deprecatedLabels.get(key);
  return message === undefined ? [] : [`${field}: ${subject}${message}`];
}

function warningsForTerm({ matchExpressions = [] }: NodeSelectorTerm, path: string): string[] {
  return matchExpressions.flatMap(({ key }, index) =>
    warningsForLabel(key, `${path}.matchExpressions[${index}].key`, `${key} is `),
  );
}

/** In a preference, impossible label values do no harm. */
function warningsForValues({ matchExpressions = [] }: NodeSelectorTerm, path: string): string[] {
  return matchExpressions.flatMap(({ values = [] }, at) =>
    values.flatMap((value, index) =>
      labelValue(value).map(
        (message) => `${path}.matchExpressions[${at}].values[${index}]: ${value} is invalid, ${message}`,
      ),
    ),
  );
}

function warningsForPods(affinity: PodAffinity, path: string): string[] {
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const terms = [
    ...required.map((term, index) => ({
      term,
      place: `${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`,
    })),
    ...preferred.map(({ podAffinityTerm }, index) => ({
      term: podAffinityTerm,
      place: `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`,
    })),
  ];
  return terms
    .filter(({ term }) => !term.labelSelector)
    .map(({ place }) => `${place}.labelSelector: ${matchesNothing}`);
}
