import { stringifyJson } from '../json/stringify-json.ts';
import { cloneJson } from '../json/clone-json.ts';
import { nestsTooDeep } from '../json/depth.ts';
import { jsonEqual } from '../json/json-equal.ts';
import { type JsonObject, getKey, isObject, setKey } from '../json/json-object.ts';

/** An operation of a JSON patch is malformed or does not fit the document. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';
}

/** How many bytes of JSON the copies of one patch may add: kube-apiserver's limit. */
const maxCopiedBytes = 3 * 1024 * 1024;

/** The document that the operations change. */
interface Root {
  document: unknown;
  /** The number of bytes copied so far. */
  copied: number;
}

/** The target of a path: a key in a map, or an index in a list. */
interface Place {
  parent: JsonObject | unknown[];
  key: string;
}

/**
 * Applies a JSON patch (RFC 6902). Changes neither argument. It is as lenient as kube-apiserver's library: a
 * missing value is null; `replace`, `copy` and `test` treat a missing key as null; text before the first slash of
 * a path is ignored; negative indices count from the end. It is stricter about the whole document, which can only
 * be tested and replaced.
 *
 * @throws {JsonPatchError} when an operation fails, copies add more than 3 MiB, or the result is nested too
 *   deeply; then none of the operations takes effect
 */
export function applyJsonPatch(document: unknown, operations: readonly unknown[]): unknown {
  const root = { document: cloneJson(document), copied: 0 };
  for (const operation of operations) applyOperation(root, operation);
  if (nestsTooDeep(root.document)) throw new JsonPatchError('exceeded max depth');
  return root.document;
}

function applyOperation(root: Root, operation: unknown): void {
  if (!isObject(operation)) throw new JsonPatchError('an operation must be an object');
  const find = (field: 'path' | 'from') => findPlace(root.document, getKey(operation, field));
  const value = cloneJson(getKey(operation, 'value') ?? null);
  switch (operation['op']) {
    case 'add':
      return add(find('path'), value);
    case 'remove':
      return remove(find('path'));
    case 'replace':
      if (operation['path'] === '') return replaceDocument(root, value);
      return replace(find('path'), value);
    case 'move': {
      const from = find('from');
      const moved = read(from);
      remove(from);
      return add(find('path'), moved);
    }
    case 'copy':
      return copy(root, read(find('from')), find('path'));
    case 'test':
      if (jsonEqual(operation['path'] === '' ? root.document : read(find('path')), value)) return;
      throw new JsonPatchError(`testing value ${String(operation['path'])} failed`);
    default:
      throw new JsonPatchError(`unexpected kind: ${String(operation['op'])}`);
  }
}

/** RFC 6901: every part starts with a slash; ~1 encodes a slash, ~0 a tilde. */
function findPlace(document: unknown, pointer: unknown): Place {
  const parts = typeof pointer === 'string' ? pointer.split('/').slice(1) : [];
  const keys = parts.map((part) => part.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')));
  const key = keys.pop();
  if (key === undefined) throw new JsonPatchError(`not a path: ${JSON.stringify(pointer)}`);
  let parent = document;
  for (const part of keys) {
    if (!isObject(parent) && !Array.isArray(parent)) break;
    parent = read({ parent, key: part });
  }
  if (isObject(parent) || Array.isArray(parent)) return { parent, key };
  throw new JsonPatchError(`doc is missing path: ${String(pointer)}`);
}

/** The value at a place; null for a missing key. */
function read({ parent, key }: Place): unknown {
  return Array.isArray(parent) ? parent[indexOf(key, parent.length - 1)] : (getKey(parent, key) ?? null);
}

function add({ parent, key }: Place, value: unknown): void {
  if (!Array.isArray(parent)) setKey(parent, key, value);
  else parent.splice(key === '-' ? parent.length : indexOf(key, parent.length), 0, value);
}

/** Checks the size before it copies: each copy could double the document. */
function copy(root: Root, value: unknown, place: Place): void {
  root.copied += Buffer.byteLength(stringifyJson(value));
  if (root.copied > maxCopiedBytes) throw new JsonPatchError('the copies are too large');
  add(place, cloneJson(value));
}

function replace({ parent, key }: Place, value: unknown): void {
  if (Array.isArray(parent)) parent[indexOf(key, parent.length - 1)] = value;
  else setKey(parent, key, value);
}

function replaceDocument(root: Root, value: unknown): void {
  if (typeof value !== 'object' || value === null) throw new JsonPatchError('value must be object or array');
  root.document = value;
}

function remove({ parent, key }: Place): void {
  if (Array.isArray(parent)) parent.splice(indexOf(key, parent.length - 1), 1);
  else if (Object.hasOwn(parent, key)) delete parent[key];
  else throw new JsonPatchError(`unable to remove nonexistent key: ${key}`);
}

/** An index from 0 to a maximum. A negative one counts from the end. */
function indexOf(part: string, maximum: number): number {
  const index = /^[-+]?\d+$/.test(part) ? Number(part) : Number.NaN;
  const absolute = index < 0 ? index + maximum + 1 : index;
  if (absolute >= 0 && absolute <= maximum) return absolute;
  throw new JsonPatchError(`${JSON.stringify(part)} is not an index of the list`);
}
