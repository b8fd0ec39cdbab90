import { type DeepReadonly, type Kind, type KubernetesObject, isKindMissing } from 'ots-runtime';
import { keyOf } from '../../deploy/apply-object.ts';
import type { Cluster } from '../../deploy/cluster.ts';
import { explainError } from '../../deploy/explain-error.ts';
import type { ObjectReference } from '../../deploy/object-name.ts';

/** The reference to an object of a kind. */
export function referenceOf({ apiVersion, kind }: Kind, name: string, namespace?: string): ObjectReference {
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
}

/**
 * Reads an object.
 *
 * @returns undefined if it or its kind does not exist
 * @throws OtsError if the server refuses or does not respond
 */
export async function read<T extends KubernetesObject>(
  { client, signal }: Cluster,
  kind: Kind<T>,
  name: string,
  namespace?: string,
): Promise<DeepReadonly<T> | undefined> {
  const reference = referenceOf(kind, name, namespace);
  try {
    return await client.get(kind, keyOf(reference), { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (isKindMissing(error)) return undefined;
    throw explainError(error, reference);
  }
}

/**
 * Lists the objects of a kind.
 *
 * @param namespace undefined for all
 * @returns undefined if the server does not have the kind
 * @throws OtsError if the server refuses or does not respond
 */
export async function listOf<T extends KubernetesObject>(
  { client, signal }: Cluster,
  kind: Kind<T>,
  namespace?: string,
): Promise<readonly DeepReadonly<T>[] | undefined> {
  try {
    return (await client.list(kind, { ...(namespace !== undefined && { namespace }), signal })).items;
  } catch (error) {
    signal.throwIfAborted();
    if (isKindMissing(error)) return undefined;
    throw explainError(error);
  }
}
