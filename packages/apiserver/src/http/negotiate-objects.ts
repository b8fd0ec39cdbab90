import type { ObjectContext } from './object-context.ts';
import { type Representation, checkDeclared, mediaTypes, negotiate, streamTypes } from './negotiate.ts';
import { readBoolean } from './options.ts';
import { type Presentation, readInclusion } from './present.ts';

/**
 * Chooses the form of the answer to a request for objects.
 *
 * @param verb what is done with them
 * @throws {StatusError} 406 when the client takes no form that there is
 */
export function negotiateObjects(
  { machinery, request, target: { resource, subresource } }: ObjectContext,
  verb: string,
): { type: Representation['type']; presentation: Presentation | undefined } {
  const { accept, query } = request;
  const isList = verb === 'list';
  if (!resource.custom) checkDeclared(accept, isList ? [...mediaTypes, ...streamTypes] : mediaTypes);
  const isWatch = isList && readBoolean(query, 'watch');
  // What is sent there is no object: nobody has said how to show it in a table.
  const noTables = resource.answer !== undefined || (subresource !== '' && verb === 'create');
  const { type, as } = negotiate(accept, { transforms: true, noTables, isWatch });
  if (!as) return { type, presentation: undefined };
  const include = as.kind === 'Table' ? readInclusion(query) : 'Metadata';
  return { type, presentation: { resource, as, include, now: machinery.now } };
}
