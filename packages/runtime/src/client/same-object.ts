import type { KubernetesObject } from 'ots-kubernetes';
import { ApiError } from '../errors/api-error.ts';
import { isOfAnother } from '../errors/is-of-another.ts';

/**
 * Checks that a merge patch reached the object whose uid it names, if any. The server compares the uid, but the strategy of the status and
 * the scale of custom resources ignores the metadata of a patch.
 * @throws {ApiError} `isConflict` if it did not.
 */
export async function ofSameObject(
  patch: object,
  written: Promise<KubernetesObject>,
): Promise<KubernetesObject> {
  const { uid, name } = (patch as Partial<KubernetesObject>).metadata ?? {};
  try {
    const object = await written;
    const found = object.metadata?.uid ?? uid;
    if (uid === undefined || found === uid) return object;
    throw recreated(object.metadata.name, 'the patch changed the new one');
  } catch (error) {
    throw isOfAnother(error) ? recreated(error.details?.name ?? name, 'the patch changed nothing') : error;
  }
}

function recreated(name: string | undefined, outcome: string): ApiError {
  const message = `${name} was deleted and created again since it was read: ${outcome}`;
  return new ApiError({ code: 409, reason: 'Conflict', message });
}
