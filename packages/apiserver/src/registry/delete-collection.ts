import { StatusError } from '../status/status-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { inSequence } from './after.ts';
import { type Deletion, deleteObject } from './delete.ts';
import type { DeleteOptions } from './delete-options.ts';
import type { Machinery } from './machinery.ts';
import type { Target } from './target.ts';

/**
 * Deletes listed objects one after the other, until one cannot be deleted. Another client may have deleted an object since
 * the list.
 *
 * @param target the collection
 * @returns a promise only where a webhook has to be asked
 * @throws {StatusError} that of the first object that cannot be deleted
 */
export function deleteListed(
  machinery: Machinery,
  target: Target,
  records: readonly StoredRecord[],
  options: DeleteOptions,
  deletion: Deletion,
): Promise<void> | undefined {
  return inSequence(records.values(), ({ object: { metadata } }) => {
    const { name = '', namespace = '' } = metadata;
    try {
      const deleting = deleteObject(machinery, { ...target, name, namespace }, options, deletion, target);
      return deleting instanceof Promise ? deleting.then(() => {}, ignoreMissing) : undefined;
    } catch (error) {
      ignoreMissing(error);
      return undefined;
    }
  });
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof StatusError) || error.status.code !== 404) throw error;
}
