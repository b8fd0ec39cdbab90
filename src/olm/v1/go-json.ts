import { isObject } from '../bundle/json.ts';

const escaped = /[<>&\u2028\u2029]/g;

/** JSON as Go writes it: what HTML or JavaScript could mistake is escaped. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(
    escaped,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A value whose keys are in order, as Go writes maps. */
export function sortedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sortedJson(item)]),
  );
}
