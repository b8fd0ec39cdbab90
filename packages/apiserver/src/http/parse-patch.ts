import { jsonType } from '../decoding/mismatches.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { badRequest, requestTooLarge } from '../status/errors.ts';
import { type DecodedJson, decodeJson } from '../json/decode-json.ts';

/** A patch, with the strict-decoding errors of its text. */
export interface ParsedPatch<T> {
  patch: T;
  problems: readonly string[];
}

const maxOperations = 10_000;
const operationFields = new Set(['op', 'path', 'from', 'value']);

/**
 * Parses a JSON patch. Null is a patch without operations.
 *
 * @param isStrict whether to collect strict-decoding errors. kube-apiserver then uses another parser with other
 *   messages.
 * @throws {StatusError} 400 for anything but a list of objects, 413 for more than 10,000
 */
export function parseJsonPatch(source: string, isStrict: boolean): ParsedPatch<readonly unknown[]> {
  const prefix = isStrict ? 'error decoding patch: ' : '';
  const { value, duplicates } = parse(source, prefix);
  const [list, item] = isStrict
    ? ['[]handlers.jsonPatchOp', 'handlers.jsonPatchOp']
    : ['jsonpatch.Patch', 'jsonpatch.Operation'];
  if (value === null) return { patch: [], problems: [] };
  if (!Array.isArray(value)) throw badRequest(`${prefix}${mismatch(value, `value of type ${list}`)}`);
  const operations: unknown[] = value;
  const invalidOperation = operations.find((operation) => !isObject(operation) && operation !== null);
  if (invalidOperation !== undefined)
    throw badRequest(`${prefix}${mismatch(invalidOperation, `value of type ${item}`)}`);
  if (isStrict) checkFields(operations, prefix);
  if (operations.length > maxOperations) {
    throw requestTooLarge(
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    );
  }
  return { patch: operations, problems: isStrict ? fieldProblems(operations, duplicates) : [] };
}

/**
 * Parses a JSON merge patch.
 *
 * @param isStrict whether to collect strict-decoding errors. kube-apiserver then uses another parser, which only
 *   accepts objects.
 * @throws {StatusError} 400
 */
export function parseMergePatch(source: string, isStrict: boolean): ParsedPatch<unknown> {
  if (isStrict) {
    const { value, duplicates } = parse(source, 'error decoding patch: ');
    if (isObject(value)) return { patch: value, problems: duplicateFields(duplicates) };
    if (value !== null) throw badRequest(`error decoding patch: ${mismatch(value, mapType)}`);
    throw badRequest('Invalid JSON Patch');
  }
  const value = parseOrNull(source);
  if (!isObject(value) && !Array.isArray(value)) throw badRequest('Invalid JSON Patch');
  return { patch: value, problems: [] };
}

/**
 * Parses a strategic merge patch. Null is a patch that changes nothing.
 *
 * @throws {StatusError} 400 for anything but an object
 */
export function parseStrategicPatch(source: string): ParsedPatch<JsonObject> {
  const { value, duplicates } = parse(source, '');
  if (value === null) return { patch: {}, problems: [] };
  if (!isObject(value)) throw badRequest(mismatch(value, mapType));
  return { patch: value, problems: duplicateFields(duplicates) };
}

const mapType = 'value of type map[string]interface {}';

function parse(source: string, prefix: string): DecodedJson {
  try {
    return decodeJson(source);
  } catch (error) {
    throw badRequest(`${prefix}${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseOrNull(source: string): unknown {
  try {
    return decodeJson(source).value;
  } catch {
    return null;
  }
}

function duplicateFields(paths: readonly string[]): string[] {
  return paths.map((path) => `duplicate field "${path}"`);
}

/** `op`, `path` and `from` must be strings. */
function checkFields(operations: readonly unknown[], prefix: string): void {
  for (const operation of operations.filter(isObject)) {
    for (const field of ['op', 'path', 'from']) {
      const value = Object.hasOwn(operation, field) ? operation[field] : null;
      if (value === null || typeof value === 'string') continue;
      throw badRequest(`${prefix}${mismatch(value, `struct field jsonPatchOp.${field} of type string`)}`);
    }
  }
}

function fieldProblems(operations: readonly unknown[], duplicates: readonly string[]): string[] {
  const unknown = operations.flatMap((operation, index) =>
    Object.keys(operation ?? {})
      .filter((field) => !operationFields.has(field))
      .map((field) => ({ index, text: `json patch unknown field "[${index}].${field}"` })),
  );
  const doubled = duplicates.map((path) => ({
    index: Number(/^\[(\d+)\]/.exec(path)?.[1] ?? 0),
    text: `json patch duplicate field "${path}"`,
  }));
  return [...unknown, ...doubled].toSorted((a, b) => a.index - b.index).map(({ text }) => text);
}

function mismatch(value: unknown, goType: string): string {
  return `json: cannot unmarshal ${jsonType(value)} into Go ${goType}`;
}
