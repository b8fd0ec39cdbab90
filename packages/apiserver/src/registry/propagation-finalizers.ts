import type { ApiObject } from '../json/api-object.ts';
import type { DeleteOptions } from './delete-options.ts';

/** Keeps an owner until its blocking dependents are gone. */
export const foregroundFinalizer = 'foregroundDeletion';
/** Keeps an owner until no object refers to it. */
export const orphanFinalizer = 'orphan';

/** What a resource does with dependents when the deletion does not say. */
export type DefaultPropagation = 'delete' | 'orphan' | 'unsupported';

/**
 * The finalizers of an object after a deletion request. The propagation policy decides about its own two: first
 * that of the latest request, then the object's finalizers, then the default of the resource.
 *
 * @returns the object's own list when nothing changes
 */
export function finalizersOfDeletion(
  { metadata: { finalizers = [] } }: ApiObject,
  options: DeleteOptions,
  byDefault: DefaultPropagation,
): readonly string[] {
  const wanted = wantedFinalizer(finalizers, options, byDefault);
  const others = finalizers.filter((finalizer) => !isOfPolicy(finalizer));
  const own = finalizers.filter(isOfPolicy);
  if (own.length === (wanted === undefined ? 0 : 1) && own[0] === wanted) return finalizers;
  return wanted === undefined ? others : [...others, wanted];
}

function wantedFinalizer(
  finalizers: readonly string[],
  { orphanDependents, propagationPolicy }: DeleteOptions,
  byDefault: DefaultPropagation,
): string | undefined {
  if (byDefault === 'unsupported') return undefined;
  if (orphanDependents !== undefined) return orphanDependents ? orphanFinalizer : undefined;
  if (propagationPolicy === 'Background') return undefined;
  if (propagationPolicy === 'Orphan') return orphanFinalizer;
  if (propagationPolicy === 'Foreground') return foregroundFinalizer;
  return finalizers.find(isOfPolicy) ?? (byDefault === 'orphan' ? orphanFinalizer : undefined);
}

function isOfPolicy(finalizer: string): boolean {
  return finalizer === foregroundFinalizer || finalizer === orphanFinalizer;
}
