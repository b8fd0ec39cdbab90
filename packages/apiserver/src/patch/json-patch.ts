import { stringifyJson } from '../json/stringify-json.ts';
import { cloneJson } from '../json/clone-json.ts';
import { nestsTooDeep } from '../json/depth.ts';
import { jsonEqual } from '../json/json-equal.ts';
import { type JsonObject, getKey, isObject, setKey } from '../json/json-object.ts';

/** An operation of a JSON patch is malformed or does not fit the document. Webhooks' authors see the message of Go's library. */
export class JsonPatchError extends Error {
  override readonly name: string = 'JsonPatchError';
}

/** A `test` of a JSON patch found another value. */
export class JsonPatchTestError extends JsonPatchError {
  override readonly name = 'JsonPatchTestError';
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
  const value = cloneJson(getKey(operation, 'value') ?? null);
  const [path, from] = [getKey(operation, 'path'), getKey(operation, 'from')];
  switch (operation['op']) {
    case 'add': {
      const place = findPlace(root, path, 'add', `path: ${JSON.stringify(path)}`);
      return within(`error in add for path: '${String(path)}'`, () => add(place, value));
    }
    case 'remove': {
      const place = findPlace(root, path, 'remove', `path: ${JSON.stringify(path)}`);
      return within(`error in remove for path: '${String(path)}'`, () => remove(place));
    }
    case 'replace':
      return path === '' ? replaceDocument(root, value) : replace(root, path, value);
    case 'move':
      return move(root, from, path);
    case 'copy':
      return copy(root, from, path);
    case 'test':
      return test(root, path, value);
    default:
      throw new JsonPatchError(
        `Unexpected kind: ${typeof operation['op'] === 'string' ? operation['op'] : 'unknown'}`,
      );
  }
}

/** Says where an error happened. */
function within<Result>(context: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof JsonPatchError ? new JsonPatchError(`${context}: ${error.message}`) : error;
  }
}

/**
 * RFC 6901: every part starts with a slash; ~1 encodes a slash, ~0 a tilde.
 *
 * @param missing how the message calls a path that leads nowhere
 */
function findPlace({ document }: Root, pointer: unknown, op: string, missing: string): Place {
  if (typeof pointer !== 'string')
    throw new JsonPatchError(`${op} operation failed to decode path: missing value`);
  const parts = pointer.split('/').slice(1);
  const keys = parts.map((part) => part.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')));
  const key = keys.pop();
  let parent: unknown = key === undefined ? undefined : document;
  for (const part of keys) parent = readIfPresent(parent, part);
  if (key !== undefined && (isObject(parent) || Array.isArray(parent))) return { parent, key };
  const subject = op === 'test' ? 'is missing' : 'doc is missing';
  throw new JsonPatchError(`${op} operation does not apply: ${subject} ${missing}: missing value`);
}

function findSource(root: Root, from: unknown, op: string, missing: string): Place {
  if (typeof from !== 'string')
    throw new JsonPatchError(
      `${op} operation failed to decode from: operation, missing from field: missing value`,
    );
  return findPlace(root, from, op, missing);
}

function readIfPresent(parent: unknown, key: string): unknown {
  if (isObject(parent)) return getKey(parent, key);
  if (!Array.isArray(parent)) return undefined;
  try {
    return read({ parent, key });
  } catch (error) {
    if (error instanceof JsonPatchError) return undefined;
    throw error;
  }
}

/** The value at a place; null for a missing key. */
function read({ parent, key }: Place): unknown {
  return Array.isArray(parent) ? parent[indexOf(key, parent.length - 1)] : (getKey(parent, key) ?? null);
}

function add({ parent, key }: Place, value: unknown): void {
  if (!Array.isArray(parent)) setKey(parent, key, value);
  else parent.splice(key === '-' ? parent.length : newIndexOf(key, parent.length), 0, value);
}

function newIndexOf(key: string, maximum: number): number {
  return isIndex(key)
    ? indexOf(key, maximum)
    : within(`value was not a proper array index: '${key}'`, () => indexOf(key, maximum));
}

function move(root: Root, from: unknown, path: unknown): void {
  const source = findSource(root, from, 'move', `from path: ${String(from)}`);
  const value = within(`error in move for path: '${source.key}'`, () => {
    const moved = read(source);
    remove(source);
    return moved;
  });
  const place = findPlace(root, path, 'move', `destination path: ${String(path)}`);
  within(`error in move for path: '${String(path)}'`, () => add(place, value));
}

/** Checks the size before it copies: each copy could double the document. */
function copy(root: Root, from: unknown, path: unknown): void {
  const source = findSource(root, from, 'copy', `from path: ${String(from)}`);
  const value = within(`error in copy for from: '${String(from)}'`, () => read(source));
  const place = findPlace(root, path, 'copy', `destination path: ${String(path)}`);
  root.copied += Buffer.byteLength(stringifyJson(value));
  if (root.copied > maxCopiedBytes)
    throw new JsonPatchError(
      `Unable to complete the copy, the accumulated size increase of copy is ${root.copied}, exceeding the limit ${maxCopiedBytes}`,
    );
  within('error while adding value during copy', () => add(place, cloneJson(value)));
}

function test(root: Root, path: unknown, value: unknown): void {
  const found = path === '' ? root.document : readTested(root, path);
  if (!jsonEqual(found, value))
    throw new JsonPatchTestError(`testing value ${String(path)} failed: test failed`);
}

function readTested(root: Root, path: unknown): unknown {
  const place = findPlace(root, path, 'test', `path: ${String(path)}`);
  return within(`error in test for path: '${String(path)}'`, () => read(place));
}

function replace(root: Root, path: unknown, value: unknown): void {
  const { parent, key } = findPlace(root, path, 'replace', `path: ${String(path)}`);
  if (!Array.isArray(parent)) return setKey(parent, key, value);
  if (readIfPresent(parent, key) === undefined)
    throw new JsonPatchError(
      `replace operation does not apply: doc is missing key: ${String(path)}: missing value`,
    );
  parent[indexOf(key, parent.length - 1)] = value;
}

function replaceDocument(root: Root, value: unknown): void {
  if (typeof value !== 'object' || value === null)
    throw new JsonPatchError('replace operation value must be object or array: %!w(<nil>)');
  root.document = value;
}

function remove({ parent, key }: Place): void {
  if (Array.isArray(parent)) parent.splice(indexOf(key, parent.length - 1), 1);
  else if (Object.hasOwn(parent, key)) delete parent[key];
  else throw new JsonPatchError(`Unable to remove nonexistent key: ${key}: missing value`);
}

const integer = /^[-+]?\d+$/;

/** Whether Go reads a text as an integer of 64 bits. */
function isIndex(text: string): boolean {
  return (
    integer.test(text) && BigInt.asIntN(64, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''))
  );
}

/** An index from 0 to a maximum. A negative one counts from the end. */
function indexOf(part: string, maximum: number): number {
  if (!isIndex(part)) {
    const problem = integer.test(part) ? 'value out of range' : 'invalid syntax';
    throw new JsonPatchError(`strconv.Atoi: parsing ${JSON.stringify(part)}: ${problem}`);
  }
  const index = Number(part);
  const absolute = index < 0 ? index + maximum + 1 : index;
  if (absolute >= 0 && absolute <= maximum) return absolute;
  throw new JsonPatchError(`Unable to access invalid index: ${index}: invalid index referenced`);
}
