import type { ObjectContext } from './object-context.ts';
import { type Representation, checkDeclared, mediaTypes, negotiate, streamTypes } from './negotiate.ts';
import { readBoolean } from './options.ts';
import { type Presentation, readInclusion } from './present.ts';

/**
 * Chooses the format of the answer to a request for objects.
 *
 * @param verb the verb of the request
 * @throws {StatusError} 406 when the client accepts no available format
 */
export function negotiateObjects(
  { machinery, request, target: { resource, subresource } }: ObjectContext,
  verb: string,
): { type: Representation['type']; presentation: Presentation | undefined } {
  const { accept, query } = request;
  const isList = verb === 'list';
  if (!resource.custom) checkDeclared(accept, isList ? [...mediaTypes, ...streamTypes] : mediaTypes);
  const isWatch = isList && readBoolean(query, 'watch');
  // Clients send something here that is not an object, for which no table exists.
  const noTables = resource.answer !== undefined || (subresource !== '' && verb === 'create');
  const { type, as } = negotiate(accept, { transforms: true, noTables, isWatch });
  if (!as) return { type, presentation: undefined };
  const include = as.kind === 'Table' ? readInclusion(query) : 'Metadata';
  return { type, presentation: { resource, as, include, now: machinery.now } };
}
