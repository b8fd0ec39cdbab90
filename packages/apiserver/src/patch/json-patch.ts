import { jsonEqual } from '../objects/json-equal.ts';
import { isObject, setKey } from '../objects/json-object.ts';

/** An operation of a JSON patch does not fit the document, or is none. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';
}

/**
 * Applies a JSON patch (RFC 6902). Neither argument is changed.
 *
 * @throws {JsonPatchError} when an operation fails; then none of them counts
 */
export function applyJsonPatch(document: unknown, operations: readonly unknown[]): unknown {
  const root = { document: structuredClone(document) };
  for (const operation of operations) applyOperation(root, operation);
  return root.document;
}

function applyOperation(root: { document: unknown }, operation: unknown): void {
  if (!isObject(operation)) throw new JsonPatchError('an operation must be an object');
  const path = parsePointer(operation['path']);
  switch (operation['op']) {
    case 'add':
      return add(root, path, valueOf(operation));
    case 'remove':
      return void remove(root, path);
    case 'replace':
      read(root, path);
      return replace(root, path, valueOf(operation));
    case 'move':
      return add(root, path, remove(root, parsePointer(operation['from'])));
    case 'copy':
      return add(root, path, structuredClone(read(root, parsePointer(operation['from']))));
    case 'test':
      if (jsonEqual(readOrNull(root, path), valueOf(operation) ?? null)) return;
      throw new JsonPatchError(`testing path ${String(operation['path'])} failed`);
    default:
      throw new JsonPatchError(`unexpected kind of operation: ${String(operation['op'])}`);
  }
}

function valueOf(operation: Record<string, unknown>): unknown {
  if (!Object.hasOwn(operation, 'value')) throw new JsonPatchError('the operation has no value');
  return structuredClone(operation['value']);
}

/** RFC 6901: every part starts with a slash; ~1 stands for a slash, ~0 for a tilde. */
function parsePointer(pointer: unknown): string[] {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) {
    throw new JsonPatchError(`not a path: ${JSON.stringify(pointer)}`);
  }
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function read(root: { document: unknown }, path: readonly string[]): unknown {
  let value = root.document;
  for (const part of path) value = child(value, part);
  return value;
}

function readOrNull(root: { document: unknown }, path: readonly string[]): unknown {
  const parent = read(root, path.slice(0, -1));
  const last = path.at(-1);
  if (last !== undefined && isObject(parent) && !Object.hasOwn(parent, last)) return null;
  return read(root, path);
}

function child(value: unknown, part: string): unknown {
  if (Array.isArray(value)) return value[indexOf(part, value.length - 1)] as unknown;
  if (isObject(value) && Object.hasOwn(value, part)) return value[part];
  throw new JsonPatchError(`there is no ${JSON.stringify(part)} here`);
}

function add(root: { document: unknown }, path: readonly string[], value: unknown): void {
  const last = path.at(-1);
  if (last === undefined) {
    root.document = value;
    return;
  }
  const parent = read(root, path.slice(0, -1));
  if (Array.isArray(parent)) {
    parent.splice(last === '-' ? parent.length : indexOf(last, parent.length), 0, value);
  } else if (isObject(parent)) {
    setKey(parent, last, value);
  } else {
    throw new JsonPatchError(`nothing can be added below ${path.slice(0, -1).join('/')}`);
  }
}

function replace(root: { document: unknown }, path: readonly string[], value: unknown): void {
  const last = path.at(-1);
  const parent = last === undefined ? undefined : read(root, path.slice(0, -1));
  if (last !== undefined && Array.isArray(parent)) parent[indexOf(last, parent.length - 1)] = value;
  else add(root, path, value);
}

function remove(root: { document: unknown }, path: readonly string[]): unknown {
  const value = read(root, path);
  const last = path.at(-1);
  if (last === undefined) throw new JsonPatchError('the whole document cannot be removed');
  const parent = read(root, path.slice(0, -1));
  if (Array.isArray(parent)) parent.splice(indexOf(last, parent.length - 1), 1);
  else if (isObject(parent)) delete parent[last];
  return value;
}

/** An index from 0 to a maximum; a negative one counts from the end, as the library of the real server does. */
function indexOf(part: string, maximum: number): number {
  const index = /^(-?[1-9]\d*|0)$/.test(part) ? Number(part) : Number.NaN;
  const absolute = index < 0 ? index + maximum + 1 : index;
  if (absolute >= 0 && absolute <= maximum) return absolute;
  throw new JsonPatchError(`${JSON.stringify(part)} is no index of the list`);
}
