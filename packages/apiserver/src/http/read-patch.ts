import type { Patch } from '../registry/patch.ts';
import { isObject } from '../objects/json-object.ts';
import { badRequest, invalidObject, requestTooLarge, unsupportedMediaType } from '../status/errors.ts';
import { invalid } from '../status/field-error.ts';
import { StatusError } from '../status/status-error.ts';
import type { ApiRequest } from './api-request.ts';
import { decodeJson } from './decode-json.ts';

type PatchType = 'json' | 'merge';

const operationsLimit = 10_000;
const patchTypes = new Map<string, PatchType>([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
]);
/** Types that a real server knows and this one does not do yet: strategic merge and server-side apply. */
const unsupportedTypes = new Set(['application/strategic-merge-patch+json', 'application/apply-patch+yaml']);

/**
 * Reads a patch: JSON patch (RFC 6902) or JSON merge patch (RFC 7396).
 *
 * @throws {StatusError} 413 or 415
 */
export async function readPatch(request: ApiRequest): Promise<Patch> {
  const type = patchTypes.get(request.contentType);
  if (!type) throw unsupportedPatch(request.contentType);
  const source = (await request.body()).toString('utf8');
  return { parse: () => parsePatch(type, source) };
}

function parsePatch(type: PatchType, source: string): unknown {
  let body: unknown;
  try {
    body = decodeJson(source).value;
    if (type === 'merge' && !isObject(body)) throw mismatch(body, 'map[string]interface {}');
    if (type === 'json') checkOperations(body);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw badRequest(`error decoding patch: ${error instanceof Error ? error.message : String(error)}`);
  }
  return body;
}

function checkOperations(body: unknown): void {
  if (!Array.isArray(body)) throw mismatch(body, '[]handlers.jsonPatchOp');
  if (body.length > operationsLimit) {
    throw requestTooLarge(
      `The allowed maximum operations in a JSON patch is ${operationsLimit}, got ${body.length}`,
    );
  }
  const stray: unknown = body.find((operation) => !isObject(operation));
  if (stray !== undefined) throw mismatch(stray, 'handlers.jsonPatchOp');
}

/** A patch whose result cannot be decoded is refused as a patch: the answer shows what it made of the object. */
export function asPatchError(error: unknown, value: unknown): unknown {
  if (!(error instanceof StatusError)) return error;
  const detail = / cannot be handled as a [^:]*: (.*)/s.exec(error.message)?.[1];
  if (detail === undefined) return error;
  return invalidObject({ group: '', name: '' }, '', [invalid('patch', JSON.stringify(value), detail)]);
}

function unsupportedPatch(contentType: string): StatusError {
  if (unsupportedTypes.has(contentType)) return unsupportedMediaType([...patchTypes.keys()]);
  return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

function mismatch(value: unknown, goType: string): SyntaxError {
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new SyntaxError(`json: cannot unmarshal ${type} into Go value of type ${goType}`);
}
