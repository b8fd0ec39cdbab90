import { isDeepStrictEqual } from 'node:util';
import type { JsonPatchOperation } from '../objects/patches.ts';

/**
 * The JSON patch (RFC 6902) that turns one JSON value into another. Lists are compared from both ends: adding or
 * removing one item anywhere gives a small patch.
 */
export function jsonPatchDiff(before: unknown, after: unknown, path = ''): JsonPatchOperation[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(before, after, path);
  if (isRecord(before) && isRecord(after)) return diffRecords(before, after, path);
  return [{ op: 'replace', path, value: after }];
}

function diffLists(before: unknown[], after: unknown[], path: string): JsonPatchOperation[] {
  const shorter = Math.min(before.length, after.length);
  // Items shift only if the lengths differ; lists of equal length are compared index by index.
  const tail = before.length === after.length ? 0 : equalAtEnd(before, after);
  const paired = shorter - tail;
  const operations: JsonPatchOperation[] = [];
  for (let index = 0; index < paired; index += 1) {
    operations.push(...jsonPatchDiff(before[index], after[index], `${path}/${index}`));
  }
  for (let index = before.length - tail - 1; index >= paired; index -= 1) {
    operations.push({ op: 'remove', path: `${path}/${index}` });
  }
  for (let index = paired; index < after.length - tail; index += 1) {
    operations.push({ op: 'add', path: `${path}/${index}`, value: after[index] });
  }
  return operations;
}

/** How many items at the end are equal, limited by the length of the shorter list. */
function equalAtEnd(before: unknown[], after: unknown[]): number {
  const shorter = Math.min(before.length, after.length);
  let front = 0;
  while (front < shorter && isDeepStrictEqual(before[front], after[front])) front += 1;
  let tail = 0;
  while (tail < shorter - front && isDeepStrictEqual(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  return tail;
}

function diffRecords(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  path: string,
): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) operations.push({ op: 'remove', path: `${path}/${escape(name)}` });
  }
  for (const [name, value] of Object.entries(after)) {
    const child = `${path}/${escape(name)}`;
    if (Object.hasOwn(before, name)) operations.push(...jsonPatchDiff(before[name], value, child));
    else operations.push({ op: 'add', path: child, value });
  }
  return operations;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// https://www.rfc-editor.org/rfc/rfc6901#section-3
function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
