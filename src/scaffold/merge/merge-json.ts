import { isDeepStrictEqual } from 'node:util';
import { lineEndingOf } from '../insertions/line-ending.ts';
import type { MergeSides } from './merge-file.ts';
import { type MergeLabels, type MergedText, mergeText } from './merge-text.ts';

/** A value of JSON, or undefined for a key that does not exist. */
type Value = unknown;
type JsonObject = Readonly<Record<string, Value>>;

/** What to write where both sides changed the same value. */
type Side = 'base' | 'ours' | 'theirs';

/**
 * Merges two changes of a JSON file by key: a line merge conflicts on entries that are only next to each other.
 *
 * @param merged the result of the line merge, which keeps the format: the answer if it is JSON, or if a side is not
 */
export function mergeJson(sides: MergeSides, merged: MergedText, labels: MergeLabels): MergedText {
  if (merged.conflicts === 0 && parse(merged.text) !== undefined) return merged;
  const [base, ours, theirs] = [parse(sides.base), parse(sides.ours), parse(sides.theirs)];
  if (!isObject(base) || !isObject(ours) || !isObject(theirs)) return merged;
  const indent = /^[ \t]+/m.exec(sides.ours)?.[0] ?? '  ';
  const eol = lineEndingOf(sides.ours);
  const end = sides.ours.endsWith('\n') ? eol : '';
  const textWith = (side: Side): string =>
    JSON.stringify(mergeValue(base, ours, theirs, side), null, indent).replaceAll('\n', eol) + end;
  // The three texts differ only where values conflict.
  return mergeText(textWith('base'), textWith('ours'), textWith('theirs'), labels);
}

/** @param side the value of a conflict */
function mergeValue(base: Value, ours: Value, theirs: Value, side: Side): Value {
  if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(base, theirs)) return ours;
  if (isDeepStrictEqual(base, ours)) return theirs;
  if (isObject(ours) && isObject(theirs)) {
    const earlier = isObject(base) ? base : {};
    return Object.fromEntries(
      keysOf(ours, theirs)
        .map((key) => [key, mergeValue(at(earlier, key), at(ours, key), at(theirs, key), side)] as const)
        .filter(([, value]) => value !== undefined),
    );
  }
  return { base, ours, theirs }[side];
}

/** The keys in the order of the author. New keys follow the key that they follow on the other side. */
function keysOf(ours: JsonObject, theirs: JsonObject): string[] {
  const keys = Object.keys(ours);
  for (const [index, key] of Object.keys(theirs).entries()) {
    if (keys.includes(key)) continue;
    const previous = Object.keys(theirs)[index - 1];
    keys.splice(previous === undefined ? 0 : keys.indexOf(previous) + 1, 0, key);
  }
  return keys;
}

function at(object: JsonObject, key: string): Value {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isObject(value: Value): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns undefined if the text is not JSON */
function parse(text: string): Value {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
