import type { JsonPatchOperation } from '../objects/patches.ts';

/** The JSON patch (RFC 6902) that turns one JSON value into another. Lists of different length are replaced whole. */
export function jsonPatchDiff(before: unknown, after: unknown, path = ''): JsonPatchOperation[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item, index) => jsonPatchDiff(item, after[index], `${path}/${index}`));
  }
  if (isRecord(before) && isRecord(after)) return diffRecords(before, after, path);
  return [{ op: 'replace', path, value: after }];
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
