import type { Kind, UnstructuredObject } from 'ots-runtime';
import { type AppliedObject, type ApplyOptions, applyObject } from './apply-object.ts';
import { type Cluster, Kinds } from './cluster.ts';
import { untilEstablished } from './established.ts';
import { explainError } from './explain-error.ts';
import { referenceTo } from './object-name.ts';
import { type Deadline, each } from './poll.ts';
import type { Progress } from './progress.ts';
import { type Stage, stagesOf } from './stages.ts';

/** How to apply many objects. */
export interface ApplyInOrderOptions extends ApplyOptions {
  /** Of namespaced objects that do not name their own. Default: `default`. */
  readonly namespace?: string;
  /** Definitions that the server serves, whose kinds discovery may not have yet. */
  readonly served?: readonly UnstructuredObject[];
  /** For definitions to be established. */
  readonly deadline: Deadline;
  readonly progress: Progress;
  /** Runs when the objects of a stage are applied, also if there are none. */
  readonly afterStage?: (stage: Stage) => Promise<void>;
}

/**
 * Applies objects in an order in which each finds what it needs: namespaces, definitions, service accounts, RBAC, configuration,
 * workloads, admission, and objects of the definitions' kinds. Those of one stage are applied at the same time. Waits until the server
 * serves the definitions.
 *
 * @returns the objects in the order in which they were applied
 * @throws OtsError for the first object that the server refuses, and of {@link untilEstablished}
 */
export async function applyInOrder(
  cluster: Cluster,
  objects: readonly UnstructuredObject[],
  options: ApplyInOrderOptions,
): Promise<AppliedObject[]> {
  const kinds = new Kinds(cluster, [...(options.served ?? []), ...objects]);
  const results: AppliedObject[] = [];
  for (const [stage, members] of stagesOf(objects, kinds)) {
    const applied = await each(members, async (member) => {
      const { kind, object } = await resolve(cluster, kinds, member, options.namespace);
      return applyObject(cluster, kind, object, options);
    });
    for (const result of applied.results) options.progress.object(result, result.action);
    if (applied.failure) throw applied.failure.error;
    results.push(...applied.results);
    if (stage === 'definitions') await untilEstablished(cluster, members, options.deadline);
    await options.afterStage?.(stage);
  }
  return results;
}

/**
 * Finds the kind of an object.
 *
 * @param namespace of namespaced objects that do not name their own
 * @returns the kind, and the object with its namespace
 * @throws OtsError if the server does not have the kind
 */
export async function resolve(
  { signal }: Cluster,
  kinds: Kinds,
  object: UnstructuredObject,
  namespace = 'default',
): Promise<{ kind: Kind<UnstructuredObject>; object: UnstructuredObject }> {
  try {
    const kind = await kinds.of(object);
    if (kind.scope === 'Cluster' || object.metadata.namespace !== undefined) return { kind, object };
    return { kind, object: { ...object, metadata: { ...object.metadata, namespace } } };
  } catch (error) {
    signal.throwIfAborted();
    throw explainError(error, referenceTo(object));
  }
}
