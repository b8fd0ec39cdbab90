import { isObject } from '../json/json-object.ts';
import { arrange, identities } from './list-order.ts';
import { isDirective, patchDirective } from './patch-directives.ts';
import type { FieldPatching } from './patch-schema.ts';
import { StrategicMergeError, unknownDirective } from './strategic-merge-error.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

/** The result of merging a list. */
export interface KeyedMerge {
  merged: readonly unknown[];
  /** The original order as kube-apiserver sees it at this point. */
  before: readonly unknown[];
}

/**
 * Merges lists of maps, identified by a merge key.
 *
 * @throws {StrategicMergeError} when an item lacks the key, or a directive is unknown
 */
export function mergeByKey(
  current: readonly unknown[],
  change: readonly unknown[],
  { mergeKey, schema }: FieldPatching,
): KeyedMerge {
  if (mergeKey === undefined) {
    throw new StrategicMergeError('cannot merge lists without merge key for struct');
  }
  const identify = identities(mergeKey);
  const { deleted, replaces } = readDirectives(change.filter(isDirective), identify);
  const items = change.filter((item) => !isDirective(item));
  if (replaces) return { merged: arrange(items, [], items, mergeKey), before: current };
  const kept = current.filter((item) => !isObject(item) || !deleted.has(item[mergeKey]));
  const merged = [...kept];
  const places = new Map<unknown, number>();
  kept.forEach((item, index) => {
    if (!places.has(identify(item))) places.set(identify(item), index);
  });
  for (const item of items) {
    const place = places.get(identify(item));
    const old = place === undefined ? undefined : merged[place];
    if (place !== undefined && isObject(item) && isObject(old)) {
      merged[place] = applyStrategicMergePatch(old, item, schema);
    } else {
      // A new item is added as it is, including its nulls and directives.
      places.set(identify(item), merged.length);
      merged.push(item);
    }
  }
  return {
    merged: arrange(merged, items, kept, mergeKey),
    // kube-apiserver writes new items into the old list's array as far as deletions made room in it.
    before: merged.slice(0, current.length),
  };
}

function readDirectives(
  directives: readonly Record<string, unknown>[],
  identify: (item: unknown) => unknown,
): { deleted: ReadonlySet<unknown>; replaces: boolean } {
  const deleted = new Set<unknown>();
  let replaces = false;
  for (const item of directives) {
    const directive = item[patchDirective];
    if (directive === 'delete') deleted.add(identify(item));
    else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') {
      throw new StrategicMergeError('merging lists cannot yet be specified in the patch');
    } else {
      throw unknownDirective(directive, item);
    }
  }
  return { deleted, replaces };
}
