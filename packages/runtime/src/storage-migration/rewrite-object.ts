import { isApiError, isConflict, isKindMissing, isNotFound } from '../errors/api-error.ts';
import { missingRule } from '../errors/missing-rule.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { MetadataKind, MetadataObject } from '../objects/metadata-of.ts';
import { keyOf } from '../objects/object-key.ts';
import type { MigrationTools } from './migration-tools.ts';
import { movedManagers } from './moved-managers.ts';
import { patient } from './patient.ts';

/** The kind of the objects, and the version (`apiVersion`) to which their field managers move; they stay if undefined. */
export interface RewriteTarget {
  readonly kind: MetadataKind;
  readonly moveManagersTo: string | undefined;
}

/**
 * Makes the server encode an object again, in the storage version: with a patch that changes nothing. The server compares
 * the encoded forms, so it stores the object if the stored form is of another version, and does nothing otherwise.
 * @param listed the object as it was listed.
 * @returns `gone` if the object does not exist any more.
 * @throws {ApiError} if the server refuses, {ConnectionError} if it does not respond; the signal's reason.
 */
export async function rewriteObject(
  tools: MigrationTools,
  { kind, moveManagersTo }: RewriteTarget,
  listed: DeepReadonly<MetadataObject>,
): Promise<'rewritten' | 'gone'> {
  const { client, signal } = tools;
  const key = keyOf(listed);
  let object: typeof listed | undefined = listed;
  while (object && object.metadata.uid === listed.metadata.uid) {
    const { uid, resourceVersion, managedFields } = object.metadata;
    const moved = moveManagersTo === undefined ? undefined : movedManagers(managedFields, moveManagersTo);
    // The list of managers is replaced whole, which must not undo what others write; without it there is nothing to undo.
    const metadata = moved ? { uid, resourceVersion, managedFields: moved } : { uid };
    try {
      await patient(tools, () => client.patch(kind, key, { metadata } as never, { signal }));
      return 'rewritten';
    } catch (error) {
      if (isNotFound(error) && !isKindMissing(error)) return 'gone';
      if (!isConflict(error)) throw error;
      // Others created it again or write it all the time, in the storage version.
      if (!moved) return 'rewritten';
    }
    object = await patient(tools, () => client.get(kind, key, { signal }));
  }
  return 'gone';
}

/** Whether the error is about one object: a webhook or the validation refuses it, or it cannot be converted. */
export function isOfObject(error: unknown): boolean {
  if (!isApiError(error)) return false;
  const { status, message } = error;
  return status === 403 ? missingRule(message) === undefined : [400, 413, 422, 500].includes(status);
}
