import type { LabelSelector } from 'ots-kubernetes/meta/v1';

/** Labels as messages show them: sorted by key; null when there are none. */
export function showLabels(labels: Record<string, string> | undefined): Record<string, string> | null {
  return labels ? Object.fromEntries(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))) : null;
}

/** A selector as messages show it. */
export function showSelector({ matchLabels, matchExpressions = [] }: LabelSelector): LabelSelector {
  return {
    ...(matchLabels && { matchLabels: showLabels(matchLabels) ?? {} }),
    ...(matchExpressions.length > 0 && {
      matchExpressions: matchExpressions.map(({ key, operator, values = [] }) => ({
        key,
        operator,
        ...(values.length > 0 && { values }),
      })),
    }),
  };
}
