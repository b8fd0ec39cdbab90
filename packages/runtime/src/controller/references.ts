import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Cache } from '../cache/cache.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type ObjectKey, keyOf, keyText } from '../objects/object-key.ts';
import { type MapFunction, requestOf } from './map-function.ts';

/**
 * An object that another one names: by its name, if it is in the same namespace or cluster-scoped, or by its key. Undefined,
 * null, an empty name, and a key without a namespace where it needs one refer to nothing.
 */
export type Reference = string | ObjectKey | null | undefined;

/** Returns what an object refers to. It must depend on the object alone. */
export type ReferenceFunction<T extends KubernetesObject> = (
  object: DeepReadonly<T>,
) => Reference | readonly Reference[];

const nothing: ObjectKey = { name: '' };

/** What `enqueueReferrers` needs. */
export interface Referrers<T extends KubernetesObject> {
  /** The kind whose objects refer to others. */
  primary: Kind<T>;
  /** The kind that they refer to. */
  kind: Kind;
  references: ReferenceFunction<T>;
  /** Of the index of `primary` that finds them; unique. */
  index: string;
}

/** Maps an object to all objects that refer to it now. It adds the index that finds them to the cache. */
export function enqueueReferrers<T extends KubernetesObject>(
  cache: Pick<Cache, 'addIndex' | 'informer'>,
  { primary, kind, references, index }: Referrers<T>,
): MapFunction<KubernetesObject> {
  cache.addIndex(primary, index, (object) =>
    [references(object)].flat().flatMap((reference) => targetOf(kind, reference, object) ?? []),
  );
  // Of the informer, which may still be filling: what it does not have yet is reconciled when it arrives.
  return (object) =>
    cache
      .informer(primary)
      .list({ index: { [index]: keyText(keyOf(object)) } })
      .map(({ metadata }) => requestOf(metadata));
}

/** The key of the object that is meant, as text; undefined if none is. */
function targetOf(
  kind: Kind,
  reference: Reference,
  { metadata }: DeepReadonly<KubernetesObject>,
): string | undefined {
  const { name, namespace } = typeof reference === 'string' ? { name: reference } : (reference ?? nothing);
  if (!name) return undefined;
  if (kind.scope === 'Cluster') return name;
  const found = namespace || metadata.namespace;
  if (found) return keyText({ name, namespace: found });
  if (typeof reference !== 'string') return undefined;
  throw new UsageError(
    `A reference to the ${kind.kind} ${name} has no namespace`,
    'Return { name, namespace }: the object that refers to it is cluster-scoped.',
  );
}
