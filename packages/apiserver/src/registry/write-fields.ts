import type { ApiObject } from '../json/api-object.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { OwnMachinery } from './machinery.ts';
import type { Target, WriteOptions } from './target.ts';
import { trackManagers } from './track-managers.ts';
import { updateRecord } from './update.ts';
import { viewOf } from './views.ts';

/**
 * Replaces fields of an object for the server itself: by the rules of its kind, without admission. Not for a kind that a
 * webhook converts.
 */
export function writeFields(
  machinery: OwnMachinery,
  { resource, subresource }: Pick<Target, 'resource' | 'subresource'>,
  record: StoredRecord,
  changes: Partial<ApiObject>,
  options: WriteOptions,
): void {
  const live = viewOf(resource, record);
  const { name = '', namespace = '' } = live.metadata;
  const target: Target = { resource, namespace, name, subresource };
  // The object becomes part of the store and changes on its way there.
  const object = { ...live, ...changes, metadata: { ...(changes.metadata ?? live.metadata) } };
  trackManagers(machinery, target, { live, object }, options);
  updateRecord(machinery, target, record, object, options);
}
