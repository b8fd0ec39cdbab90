import type { ApiObject } from '../json/api-object.ts';
import type { DeleteOptions } from './delete-options.ts';

/** Holds an owner back until the objects that block its deletion are gone. */
export const foregroundFinalizer = 'foregroundDeletion';
/** Holds an owner back until no object names it any more. */
export const orphanFinalizer = 'orphan';

/** What a resource does with the objects that its own ones own, when a deletion does not say. */
export type DefaultPropagation = 'delete' | 'orphan' | 'unsupported';

/**
 * The finalizers that an object has once its deletion was asked for: those of the propagation policy come and go with the
 * latest request, then with what the object says itself, then with the default of the resource.
 *
 * @returns the list of the object itself when nothing changes
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
