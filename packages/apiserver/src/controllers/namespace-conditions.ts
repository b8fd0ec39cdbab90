import type { NamespaceCondition } from 'ots-kubernetes/core/v1';

/** What a pass through the content of a namespace left behind. */
export interface Remaining {
  /** The number of objects of each resource, by `plural.group`. */
  resources: Map<string, number>;
  finalizers: Map<string, number>;
  /** Why objects could not be deleted: one error per resource. */
  errors: Error[];
}

type Condition = Omit<NamespaceCondition, 'lastTransitionTime'>;

/** In the order in which they are written. */
const fulfilled: readonly Condition[] = [
  ok('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
  ok(
    'NamespaceDeletionGroupVersionParsingFailure',
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ),
  ok(
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ),
  ok('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'),
  ok('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'),
];

function ok(type: string, reason: string, message: string): Condition {
  return { type, status: 'False', reason, message };
}

/**
 * The conditions of a namespace that is being emptied.
 *
 * @returns the same list when nothing changed
 */
export function namespaceConditions(
  old: readonly NamespaceCondition[],
  remaining: Remaining,
  now: string,
): readonly NamespaceCondition[] {
  const failing = failures(remaining);
  let merged = old;
  for (const condition of fulfilled) {
    const current = failing.find(({ type }) => type === condition.type) ?? condition;
    const before = merged.find(({ type }) => type === condition.type);
    if (!before) merged = [...merged, { ...current, lastTransitionTime: now }];
    else if (before.status !== current.status || before.message !== current.message) {
      const changed = {
        ...before,
        ...current,
        ...(before.status !== current.status && { lastTransitionTime: now }),
      };
      merged = merged.map((other) => (other === before ? changed : other));
    }
  }
  return merged;
}

function failures({ resources, finalizers, errors }: Remaining): Condition[] {
  return [
    ...failure(
      'NamespaceDeletionContentFailure',
      'ContentDeletionFailed',
      `Failed to delete all resource types, ${errors.length} remaining: `,
      errors.map(({ message }) => message),
    ),
    ...failure(
      'NamespaceContentRemaining',
      'SomeResourcesRemain',
      'Some resources are remaining: ',
      [...resources].map(([name, count]) => `${name} has ${count} resource instances`),
    ),
    ...failure(
      'NamespaceFinalizersRemaining',
      'SomeFinalizersRemain',
      'Some content in the namespace has finalizers remaining: ',
      [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`),
    ),
  ];
}

function failure(type: string, reason: string, head: string, lines: string[]): Condition[] {
  if (lines.length === 0) return [];
  return [{ type, status: 'True', reason, message: `${head}${lines.toSorted().join(', ')}` }];
}
