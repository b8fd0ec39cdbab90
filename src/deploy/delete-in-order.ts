import {
  type Kind,
  NoKindMatchError,
  type UnstructuredObject,
  isKindMissing,
  isNotFound,
  metadataOf,
} from 'ots-runtime';
import { OtsError } from '../errors/ots-error.ts';
import { keyOf } from './apply-object.ts';
import { type Cluster, Kinds } from './cluster.ts';
import { explainError } from './explain-error.ts';
import { type ObjectReference, objectName, referenceTo } from './object-name.ts';
import { type Deadline, each, poll } from './poll.ts';
import type { Progress } from './progress.ts';
import { stagesOf } from './stages.ts';

/** How to delete many objects. */
export interface DeleteOptions {
  /** Of namespaced objects that do not name their own. Default: `default`. */
  readonly namespace?: string;
  /** For all of them to be gone. */
  readonly deadline: Deadline;
  readonly progress: Progress;
  /** Reports what exists and deletes nothing. Default: false. */
  readonly dryRun?: boolean;
}

/** An object to delete, and its kind. */
interface Target {
  readonly reference: ObjectReference;
  readonly kind: Kind<UnstructuredObject>;
}

/**
 * Deletes objects, and waits for each stage to be gone before it continues: objects of the definitions' kinds and the definitions first, while
 * the operator still runs and removes its finalizers. Then admission, workloads, and everything else in the opposite order of applying.
 * Objects that do not exist are skipped.
 *
 * @throws OtsError `NOT_DELETED` for what still exists when the time is up, or with the reason of the server
 */
export async function deleteInOrder(
  cluster: Cluster,
  objects: readonly UnstructuredObject[],
  options: DeleteOptions,
): Promise<void> {
  const kinds = new Kinds(cluster, objects);
  const stages = new Map(stagesOf(objects, kinds));
  const definitions = stages.get('definitions')!;
  const custom = stages.get('custom')!;
  stages.delete('definitions');
  stages.delete('custom');
  for (const members of [custom, definitions, ...[...stages.values()].toReversed()]) {
    const targets = await existing(cluster, kinds, members.toReversed(), options.namespace);
    const deleted = await each(targets, async (target) => {
      if (options.dryRun) return target;
      await deleteTarget(cluster, target);
      await untilGone(cluster, target, options);
      return target;
    });
    for (const { reference } of deleted.results) options.progress.object(reference, 'deleted');
    if (deleted.failure) throw deleted.failure.error;
  }
}

async function existing(
  cluster: Cluster,
  kinds: Kinds,
  objects: readonly UnstructuredObject[],
  namespace = 'default',
): Promise<Target[]> {
  const { results, failure } = await each(objects, async (object) => {
    const reference = referenceTo(object);
    try {
      const kind = await kinds.of(object);
      const place = kind.scope === 'Namespaced' && { namespace };
      const target = { kind, reference: { ...place, ...reference } };
      return (await read(cluster, target)) ? [target] : [];
    } catch (error) {
      cluster.signal.throwIfAborted();
      if (error instanceof NoKindMatchError) return [];
      throw explainError(error, reference);
    }
  });
  if (failure) throw failure.error;
  return results.flat();
}

/** The metadata of an object; undefined if it or its kind does not exist. */
async function read({ client, signal }: Cluster, { kind, reference }: Target) {
  try {
    return await client.get(metadataOf(kind), keyOf(reference), { signal });
  } catch (error) {
    if (isKindMissing(error)) return undefined;
    signal.throwIfAborted();
    throw explainError(error, reference);
  }
}

async function deleteTarget({ client, signal }: Cluster, { kind, reference }: Target): Promise<void> {
  try {
    await client.delete(kind, keyOf(reference), { propagationPolicy: 'Background', signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!isNotFound(error)) throw explainError(error, reference);
  }
}

async function untilGone(
  cluster: Cluster,
  target: Target,
  { progress, deadline }: DeleteOptions,
): Promise<void> {
  let last: Awaited<ReturnType<typeof read>>;
  let isSaid = false;
  const name = objectName(target.reference);
  const gone = await poll(cluster, deadline, async () => {
    const found = await read(cluster, target);
    if (!found) return true;
    // Deleted, and created again by another program.
    if (last && last.metadata.uid !== found.metadata.uid) return true;
    if (last && !isSaid) progress.waiting(`${name} to be deleted${finalizersOf(found)}`);
    isSaid = last !== undefined;
    last = found;
    return undefined;
  });
  if (gone) return;
  throw new OtsError('NOT_DELETED', `${name} still exists after ${String(deadline)}${finalizersOf(last)}`, {
    hint: 'Check that the operator runs and can remove the finalizers of its objects, and run the command again, or allow more time with --timeout.',
  });
}

function finalizersOf(object: { metadata: { finalizers?: readonly string[] } } | undefined): string {
  const finalizers = object?.metadata.finalizers ?? [];
  return finalizers.length > 0 ? ` (finalizers: ${finalizers.join(', ')})` : '';
}
