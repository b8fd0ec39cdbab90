import { isApiError, isConflict, isKindMissing, isNotFound } from '../errors/api-error.ts';
import { missingRule } from '../errors/missing-rule.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { MetadataKind, MetadataObject } from '../objects/metadata-of.ts';
import { keyOf } from '../objects/object-key.ts';
import type { MigrationTools } from './migration-tools.ts';
import { movedManagers } from './moved-managers.ts';
import { patient } from './patient.ts';

/** Which objects to rewrite, and how. */
export interface RewriteTarget {
  readonly kind: MetadataKind;
  /** The version (`apiVersion`) to which their field managers move; they stay if undefined. */
  readonly moveManagersTo: string | undefined;
  /** Whether an object is stored in the storage version already. */
  readonly isDone: (object: DeepReadonly<MetadataObject>) => boolean;
}

/** How often to try again if others write the object at the same time. */
const maxConflicts = 5;

/**
 * Makes the server encode an object again, in the storage version: with a patch that changes nothing. The server compares
 * the encoded forms, so it stores the object if the stored form is of another version, and does nothing otherwise.
 * @param listed the object as it was listed.
 * @returns false if others have written it, or it is gone.
 * @throws {ApiError} if the server refuses, {ConnectionError} if it does not respond; the signal's reason.
 */
export async function rewriteObject(
  tools: MigrationTools,
  target: RewriteTarget,
  listed: DeepReadonly<MetadataObject>,
): Promise<boolean> {
  const { client, signal } = tools;
  const { kind, isDone } = target;
  const key = keyOf(listed);
  let object = listed;
  for (let conflicts = 0; ; conflicts += 1) {
    const { metadata, moves } = changeOf(object, target);
    try {
      await patient(tools, () => client.patch(kind, key, { metadata } as never, { signal }));
      return true;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
      // A webhook may have said so: the object itself tells.
      const current = await patient(tools, () => client.get(kind, key, { signal }));
      if (!current || current.metadata.uid !== listed.metadata.uid) return false;
      if (isDone(current) && !moves) return false;
      if (isNotFound(error) || conflicts === maxConflicts) throw error;
      object = current;
    }
  }
}

function changeOf(
  { metadata: { uid, resourceVersion, managedFields } }: DeepReadonly<MetadataObject>,
  { moveManagersTo }: RewriteTarget,
): { metadata: object; moves: boolean } {
  const moved = moveManagersTo === undefined ? undefined : movedManagers(managedFields, moveManagersTo);
  // The list of managers is replaced whole, which must not undo what others write; without it there is nothing to undo.
  return moved
    ? { metadata: { uid, resourceVersion, managedFields: moved }, moves: true }
    : { metadata: { uid }, moves: false };
}

/** Whether the error is about one object: a webhook or the validation refuses it, or it cannot be converted. */
export function isOfObject(error: unknown): boolean {
  if (!isApiError(error) || isKindMissing(error)) return false;
  const { status, message } = error;
  return status === 403
    ? missingRule(message) === undefined
    : [400, 404, 409, 413, 422, 500].includes(status);
}
