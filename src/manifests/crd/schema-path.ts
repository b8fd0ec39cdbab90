import { closestName } from 'ots-apimachinery/closest-name';
import type { Schema } from '../schema/schema.ts';

/** What a path leads to, or why it does not lead to a field. */
export type PathTarget = { readonly schema: Schema } | { readonly message: string; readonly hint?: string };

/**
 * Follows a path of plain names, like `.spec.replicas`, through the properties of a schema. It cannot go
 * through lists and maps, which have many values.
 * @returns the schema at the end of the path, or the end of a sentence that begins with the path
 */
export function followPath(root: Schema, path: string): PathTarget {
  if (!/^(?:\.[^.[\]\s]+)+$/.test(path))
    return { message: 'is not a path of plain names', hint: 'write it like .spec.replicas' };
  let schema = root;
  let walked = '';
  for (const name of path.slice(1).split('.')) {
    const next = schema.properties?.get(name);
    if (!next) {
      const suggestion = closestName(name, schema.properties?.keys() ?? []);
      return {
        message: `leads to ${walked}.${name}, which the schema does not have`,
        ...(suggestion ? { hint: `did you mean ${walked}.${suggestion}?` } : {}),
      };
    }
    schema = next;
    walked += `.${name}`;
  }
  return { schema };
}
