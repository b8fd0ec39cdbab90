import { type UnstructuredObject, isApiError, isNotFound, metadataOf, unstructured } from 'ots-runtime';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import type { Cluster } from './cluster.ts';
import { explainError } from './explain-error.ts';
import { referenceTo } from './object-name.ts';

/** How many objects of the kind of a definition exist. */
export interface ObjectCount {
  /** The name of the definition. */
  readonly definition: string;
  /** Undefined if the server does not say. */
  readonly count: number | undefined;
}

/**
 * Counts the objects that would be deleted with their definitions.
 *
 * @returns the definitions with objects; also those about whose objects the server says nothing, for example because a webhook that
 *   converts them does not respond
 * @throws OtsError if the server does not respond
 */
export async function countObjects(
  cluster: Cluster,
  definitions: readonly UnstructuredObject[],
): Promise<ObjectCount[]> {
  const counts: ObjectCount[] = [];
  for (const definition of definitions) {
    const { name } = referenceTo(definition);
    const count = await countOf(cluster, name);
    if (count !== 0) counts.push({ definition: name, count });
  }
  return counts;
}

async function countOf({ client, signal }: Cluster, name: string): Promise<number | undefined> {
  try {
    const live = await client.get(CustomResourceDefinition, { name }, { signal });
    // The stored version needs no conversion.
    const stored = live?.spec.versions.find(({ storage, served }) => storage && served);
    if (!live || !stored) return live ? undefined : 0;
    const { group, names, scope } = live.spec;
    const kind = unstructured({
      apiVersion: `${group}/${stored.name}`,
      kind: names.kind,
      plural: names.plural,
      scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    });
    const { items, metadata } = await client.list(metadataOf(kind), { limit: 1, signal });
    return items.length + (metadata.remainingItemCount ?? 0);
  } catch (error) {
    signal.throwIfAborted();
    if (isNotFound(error)) return 0;
    if (isApiError(error)) return undefined;
    throw explainError(error);
  }
}
