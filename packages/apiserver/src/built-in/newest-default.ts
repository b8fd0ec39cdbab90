import type { ApiObject } from '../json/api-object.ts';
import type { StoredRecord } from '../storage/stored-record.ts';

/**
 * The name of the default among the classes of a kind: the youngest one, then the first by name.
 *
 * @param annotations one of which is `true` on a default class
 */
export function newestDefault(
  classes: readonly StoredRecord[],
  annotations: readonly string[],
): string | undefined {
  const isDefault = ({ metadata }: ApiObject) =>
    annotations.some((name) => metadata.annotations?.[name] === 'true');
  const [first] = classes
    .map(({ object }) => object)
    .filter(isDefault)
    .toSorted(byPreference);
  return first?.metadata.name;
}

function byPreference({ metadata: a }: ApiObject, { metadata: b }: ApiObject): number {
  const [older = '', younger = ''] = [a.creationTimestamp, b.creationTimestamp];
  if (older !== younger) return older > younger ? -1 : 1;
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1;
}
