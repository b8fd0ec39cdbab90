const prefix = 'autoscaling.alpha.kubernetes.io/';

/** The annotations in which autoscaling/v1 keeps what it has no fields for. */
export const v1Annotations = {
  metrics: `${prefix}metrics`,
  currentMetrics: `${prefix}current-metrics`,
  conditions: `${prefix}conditions`,
  behavior: `${prefix}behavior`,
} as const;

const all: readonly string[] = [
  ...Object.values(v1Annotations),
  `${prefix}scale-down-tolerance`,
  `${prefix}scale-up-tolerance`,
];

/** The annotations without those. */
export function withoutV1Annotations(
  annotations: Record<string, string> | undefined,
): Record<string, string> | undefined {
  if (!annotations || !all.some((name) => Object.hasOwn(annotations, name))) return annotations;
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => !all.includes(name)));
}
