import type { Resource } from '../registry/resource.ts';
import { unsupportedMediaType } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import type { ApiRequest } from './api-request.ts';

/** A patch as the client sent it. */
export interface SentPatch {
  /** JSON patch (RFC 6902), JSON merge patch (RFC 7396), strategic merge patch, or a configuration to apply. */
  type: 'json' | 'merge' | 'strategic' | 'apply';
  source: string;
}

const patchTypes = new Map<string, SentPatch['type']>([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  ['application/apply-patch+yaml', 'apply'],
]);
/** The patch types that a real server accepts, in the order in which it lists them. */
const builtInTypes = [...patchTypes.keys()];
const customTypes = builtInTypes.filter((type) => patchTypes.get(type) !== 'strategic');

/**
 * Reads a patch. Custom resources do not support strategic merge patches: their schemas do not say how to merge
 * lists.
 *
 * @throws {StatusError} 413 or 415
 */
export async function readPatch(request: ApiRequest, resource: Resource): Promise<SentPatch> {
  const header = request.contentTypeHeader;
  const types = resource.custom ? customTypes : builtInTypes;
  const name = header.indexOf(';') > 0 ? header.slice(0, header.indexOf(';')) : header;
  const type = types.includes(name) ? patchTypes.get(name) : undefined;
  if (!type) throw unsupportedPatch(header, resource, types);
  return { type, source: (await request.body()).toString('utf8') };
}

/** The router of built-in kinds parses the header less strictly than the handlers behind it. */
function unsupportedPatch(header: string, { custom }: Resource, types: readonly string[]): StatusError {
  const named = header.split(',').map((part) => (part.split(';')[0] ?? '').trim());
  if (custom || named.some((name) => types.includes(name))) return unsupportedMediaType(types);
  return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}
