import { type Kind, type UnstructuredObject, isNotFound, metadataOf } from 'ots-runtime';
import type { Cluster } from './cluster.ts';
import { explainError } from './explain-error.ts';
import { type ObjectReference, referenceTo } from './object-name.ts';

/** How to apply. */
export interface ApplyOptions {
  /** Takes fields over from other managers instead of failing. Default: false. */
  readonly forceConflicts?: boolean;
}

/** An object in the cluster, and what happened to it. */
export interface AppliedObject extends ObjectReference {
  readonly action: 'created' | 'configured' | 'unchanged';
  readonly uid: string;
}

/**
 * Applies one object with server-side apply.
 *
 * @throws OtsError `FIELD_CONFLICT`, or with the reason of the server, or `CONNECTION_FAILED`
 */
export async function applyObject(
  { client, signal }: Cluster,
  kind: Kind<UnstructuredObject>,
  object: UnstructuredObject,
  { forceConflicts = false }: ApplyOptions = {},
): Promise<AppliedObject> {
  const reference = referenceTo(object);
  try {
    const before = await client.get(metadataOf(kind), keyOf(reference), { signal });
    const after = await client.apply(kind, applied(object), { force: forceConflicts, signal });
    const { resourceVersion, uid = '' } = after.metadata;
    const isUnchanged = before?.metadata.resourceVersion === resourceVersion;
    return { ...reference, action: before ? (isUnchanged ? 'unchanged' : 'configured') : 'created', uid };
  } catch (error) {
    signal.throwIfAborted();
    throw explainError(error, reference);
  }
}

/**
 * What the server would make of an object, without changing it.
 *
 * @returns undefined where it cannot know, because the namespace does not exist yet
 * @throws as {@link applyObject}
 */
export async function dryRunObject(
  { client, signal }: Cluster,
  kind: Kind<UnstructuredObject>,
  object: UnstructuredObject,
  { forceConflicts = false }: ApplyOptions = {},
): Promise<UnstructuredObject | undefined> {
  try {
    return await client.apply(kind, applied(object), { dryRun: true, force: forceConflicts, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (isNotFound(error)) return undefined;
    throw explainError(error, referenceTo(object));
  }
}

/** The key of an object for the client. */
export function keyOf({ name, namespace }: ObjectReference): { name: string; namespace?: string } {
  return { name, ...(namespace !== undefined && { namespace }) };
}

/** The client requires a name, which every object of a build has. */
function applied(object: UnstructuredObject): UnstructuredObject & { metadata: { name: string } } {
  const { name = '' } = object.metadata;
  return { ...object, metadata: { ...object.metadata, name } };
}
