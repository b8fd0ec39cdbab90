import { isDeepStrictEqual } from 'node:util';
import { type Kind, type UnstructuredObject, isKindMissing } from 'ots-runtime';
import { stringify } from 'yaml';
import { textDiff } from '../output/unified-diff.ts';
import { dryRunObject, keyOf } from './apply-object.ts';
import type { ApplyInOrderOptions } from './apply-in-order.ts';
import { resolve } from './apply-in-order.ts';
import { type Cluster, Kinds } from './cluster.ts';
import { explainError } from './explain-error.ts';
import { type ObjectReference, objectName, referenceTo } from './object-name.ts';
import { each } from './poll.ts';
import { stagesOf } from './stages.ts';

/**
 * Reports what {@link applyInOrder} would do, with a diff between each object in the cluster and what the server would make of it.
 * Values in Secrets are masked. Writes nothing.
 *
 * @returns the objects, with their namespaces
 * @throws OtsError for the first object that the server would refuse
 */
export async function diffInOrder(
  cluster: Cluster,
  objects: readonly UnstructuredObject[],
  { namespace, progress, ...options }: Omit<ApplyInOrderOptions, 'deadline' | 'afterStage'>,
): Promise<ObjectReference[]> {
  const kinds = new Kinds(cluster, objects);
  const references: ObjectReference[] = [];
  for (const [, members] of stagesOf(objects, kinds)) {
    const compared = await each(members, async (member) => {
      const { kind, object } = await resolve(cluster, kinds, member, namespace);
      const live = await read(cluster, kind, object);
      // In a namespace or of a kind that does not exist yet, the server cannot say what it would make of the object.
      const result = (await dryRunObject(cluster, kind, object, options)) ?? object;
      return { reference: referenceTo(object), live, result };
    });
    for (const { reference, live, result } of compared.results) {
      references.push(reference);
      const diff = diffOf(objectName(reference), live, result);
      if (diff === undefined) progress.object(reference, 'unchanged');
      else progress.object(reference, live ? 'configured' : 'created', { diff });
    }
    if (compared.failure) throw compared.failure.error;
  }
  return references;
}

/** Undefined if nothing would change. */
function diffOf(
  name: string,
  live: UnstructuredObject | undefined,
  result: UnstructuredObject,
): string | undefined {
  const [before, after] = comparable(live, result);
  if (isDeepStrictEqual(before, after)) return undefined;
  const text = before ? stringify(before) : '';
  return textDiff(before ? `live/${name}` : '/dev/null', `applied/${name}`, text, stringify(after));
}

async function read(
  { client, signal }: Cluster,
  kind: Kind<UnstructuredObject>,
  object: UnstructuredObject,
): Promise<UnstructuredObject | undefined> {
  const reference = referenceTo(object);
  try {
    return (await client.get(kind, keyOf(reference), { signal })) as UnstructuredObject | undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (isKindMissing(error)) return undefined;
    throw explainError(error, reference);
  }
}

/** Two states of an object without what the server writes, and without secrets. */
function comparable(
  live: UnstructuredObject | undefined,
  result: UnstructuredObject,
): [UnstructuredObject | undefined, UnstructuredObject] {
  const before = live && authored(live);
  const after = authored(result);
  if (result.kind === 'Secret' && result.apiVersion === 'v1') mask(before, after);
  return [before, after];
}

/** What only the server writes. */
const serverFields = ['managedFields', 'resourceVersion', 'generation', 'uid', 'creationTimestamp'] as const;

function authored(object: UnstructuredObject): UnstructuredObject {
  const { status: _, ...copy } = structuredClone(object);
  for (const field of serverFields) delete copy.metadata[field];
  return copy;
}

/** Shows which values of a Secret change, but not the values. */
function mask(before: UnstructuredObject | undefined, after: UnstructuredObject): void {
  for (const field of ['data', 'stringData']) {
    const [old, next] = [before?.[field], after[field]] as (Record<string, unknown> | undefined)[];
    for (const key of new Set([...Object.keys(old ?? {}), ...Object.keys(next ?? {})])) {
      const isChanged = old?.[key] !== undefined && next?.[key] !== undefined && old[key] !== next[key];
      if (old?.[key] !== undefined) old[key] = isChanged ? '*** (before)' : '***';
      if (next?.[key] !== undefined) next[key] = isChanged ? '*** (after)' : '***';
    }
  }
  for (const object of [before, after]) {
    // Client-side apply keeps a copy of the values there.
    const { annotations } = object?.metadata ?? {};
    const copy = 'kubectl.kubernetes.io/last-applied-configuration';
    if (annotations?.[copy] !== undefined) annotations[copy] = '***';
  }
}
