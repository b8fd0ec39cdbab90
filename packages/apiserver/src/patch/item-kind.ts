import { goKind, printGo } from './go-value.ts';
import { StrategicMergeError } from './strategic-merge-error.ts';

/**
 * The common Go kind of all items of some lists.
 *
 * @throws {StrategicMergeError} when the kinds differ, or the items are lists or null, or there are none
 */
export function itemKind(...lists: (readonly unknown[])[]): string {
  const [first, ...others] = lists.flat().map(goKind);
  if (first === undefined) throw new StrategicMergeError('no elements in any of the given slices');
  // A real server drops the connection.
  if (first === 'nil') throw new StrategicMergeError('invalid patch format of primitive list', 400);
  if (first === 'slice') throw new StrategicMergeError('lists of lists are not supported', 422);
  if (others.some((kind) => kind !== first)) {
    throw new StrategicMergeError(`list element types are not identical: ${printGo(lists)}`);
  }
  return first;
}
