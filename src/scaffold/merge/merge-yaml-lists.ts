import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isSeq, parse, parseDocument } from 'yaml';
import { type YamlListItem, addToYamlList } from '../insertions/add-to-yaml-list.ts';
import type { MergeSides } from './merge-file.ts';
import { type MergeLabels, type MergedText, mergeText } from './merge-text.ts';

/**
 * Merges two changes of a YAML file whose line merge conflicts. Entries of top-level lists that one side added or removed are no reason for a
 * conflict: both other texts get these changes first.
 *
 * @param merged the result of the line merge: the answer if this one has no fewer conflicts, or if a text is not YAML
 */
export function mergeYamlLists(sides: MergeSides, merged: MergedText, labels: MergeLabels): MergedText {
  const { base, ours, theirs } = sides;
  try {
    const [ofTheirs, ofOurs] = [changesBetween(base, theirs), changesBetween(base, ours)];
    const results = [
      merged,
      mergeText(withChanges(base, ofTheirs), withChanges(ours, ofTheirs), theirs, labels),
      mergeText(withChanges(base, ofOurs), ours, withChanges(theirs, ofOurs), labels),
    ];
    return results.reduce((best, result) => (result.conflicts < best.conflicts ? result : best));
  } catch {
    return merged;
  }
}

/** Entries by the keys of their lists. */
type Lists = ReadonlyMap<string, readonly YamlListItem[]>;

interface ListChanges {
  readonly added: Lists;
  readonly removed: Lists;
}

function changesBetween(before: string, after: string): ListChanges {
  const [earlier, later] = [listsIn(before), listsIn(after)];
  return { added: itemsBeyond(later, earlier), removed: itemsBeyond(earlier, later) };
}

function itemsBeyond(lists: Lists, others: Lists): Lists {
  return new Map(
    [...lists].map(([key, items]) => [
      key,
      items.filter((item) => !others.get(key)?.some((other) => isDeepStrictEqual(other, item))),
    ]),
  );
}

function listsIn(text: string): Lists {
  const root = parse(text) as unknown;
  const entries = typeof root === 'object' && root !== null ? Object.entries(root) : [];
  return new Map(entries.filter(([, value]) => Array.isArray(value)));
}

function withChanges(text: string, { added, removed }: ListChanges): string {
  let result = text;
  for (const [key, items] of added) if (items.length > 0) result = addToYamlList(result, '', key, items);
  for (const [key, items] of removed) for (const item of items) result = withoutItem(result, key, item);
  return result;
}

/** Removes an entry that is a line of its own, with the key of the list if nothing else is in it. */
function withoutItem(text: string, key: string, item: YamlListItem): string {
  const root = parseDocument(text).contents;
  const list = isMap(root) ? root.get(key, true) : undefined;
  if (!isSeq(list)) return text;
  const node = list.items.find((value) => isNode(value) && isDeepStrictEqual(value.toJSON(), item));
  if (!isNode(node) || !node.range) return text;
  const offset = node.range[0];
  const line = text.slice(0, offset).split('\n').length - 1;
  const lines = text.split('\n');
  if (!/^\s*- \S+\s*$/.test(lines[line] ?? '')) return text;
  const isOnly = list.items.length === 1 && lines[line - 1]?.trimEnd() === `${key}:`;
  return lines.toSpliced(isOnly ? line - 1 : line, isOnly ? 2 : 1).join('\n');
}
