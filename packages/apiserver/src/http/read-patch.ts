import type { Resource } from '../registry/resource.ts';
import type { Patch } from '../registry/patch.ts';
import { isObject } from '../objects/json-object.ts';
import { badRequest, invalidObject, unsupportedMediaType } from '../status/errors.ts';
import { invalid } from '../status/field-error.ts';
import { StatusError } from '../status/status-error.ts';
import type { ApiRequest } from './api-request.ts';
import { decodeJson } from './decode-json.ts';

const operationsLimit = 10_000;
const patchTypes = new Map<string, Patch['type']>([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
]);
/** Types that a real server knows and this one does not do yet: strategic merge and server-side apply. */
const unsupportedTypes = new Set(['application/strategic-merge-patch+json', 'application/apply-patch+yaml']);

/**
 * Reads the body of a patch: JSON patch (RFC 6902) or JSON merge patch (RFC 7396).
 *
 * @throws {StatusError} 400, 413 or 415
 */
export async function readPatch(
  request: ApiRequest,
  _resource: Resource,
): Promise<Patch & { problems: string[] }> {
  const type = patchTypes.get(request.contentType);
  if (!type) throw unsupportedPatch(request.contentType);
  const source = (await request.body()).toString('utf8');
  let body: unknown;
  let duplicates: string[];
  try {
    ({ value: body, duplicates } = decodeJson(source));
    if (type === 'merge' && !isObject(body)) throw mismatch(body, 'map[string]interface {}');
    if (type === 'json' && !Array.isArray(body)) throw mismatch(body, '[]handlers.jsonPatchOp');
  } catch (error) {
    throw badRequest(`error decoding patch: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (Array.isArray(body) && body.length > operationsLimit) {
    const message = `The allowed maximum operations in a JSON patch is ${operationsLimit}, got ${body.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', message);
  }
  return { type, body, problems: duplicates.map((field) => `duplicate field "${field}"`) };
}

/** A patch whose result has unknown fields is refused as a patch: the answer shows what it made of the object. */
export function withStrictPatchErrors<T>(value: unknown, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    const strict =
      error instanceof StatusError ? /strict decoding error: .*/s.exec(error.message)?.[0] : undefined;
    if (strict === undefined) throw error;
    throw invalidObject({ group: '', name: '' }, '', [invalid('patch', JSON.stringify(value), strict)]);
  }
}

function unsupportedPatch(contentType: string): StatusError {
  if (unsupportedTypes.has(contentType)) return unsupportedMediaType([...patchTypes.keys()]);
  return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

function mismatch(value: unknown, goType: string): SyntaxError {
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new SyntaxError(`json: cannot unmarshal ${type} into Go value of type ${goType}`);
}
