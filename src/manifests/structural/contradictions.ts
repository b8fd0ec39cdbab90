import type { Schema } from '../schema/schema.ts';

/** Why the author did not mean a schema that the API server accepts. */
export interface Contradiction {
  /** The path of the schema, as the API server writes it. */
  readonly field: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * Finds keywords that contradict each other or have no effect. The API server accepts them. Tags are checked where
 * they are applied; this is about combinations of tags.
 */
export function contradictionsIn(root: Schema): Contradiction[] {
  const found: Contradiction[] = [];
  const seen = new Set<Schema>();
  visit(root, '');
  return found;

  function visit(schema: Schema, field: string): void {
    if (seen.has(schema)) return;
    seen.add(schema);
    const fail = (message: string, hint: string) => found.push({ field, message, hint });
    const { type, properties, items, additionalProperties } = schema;
    if (schema['x-kubernetes-int-or-string'] && type)
      fail('a value that is an integer or a string cannot have another type', 'remove one of the tags');
    if (items && type !== 'array') fail('only an array has items', 'remove the tag that changes the type');
    if ((properties || additionalProperties) && type !== 'object')
      fail('only an object has properties', 'remove the tag that changes the type');
    const missing = missingProperty(schema);
    if (missing !== undefined) fail(`the property ${missing} is required and not declared`, 'declare it');
    for (const [name, property] of properties ?? []) visit(property, `${field}.properties[${name}]`);
    if (items) visit(items, `${field}.items`);
    if (additionalProperties) visit(additionalProperties, `${field}.additionalProperties`);
  }
}

function missingProperty(schema: Schema): string | undefined {
  const { properties, additionalProperties, required = [] } = schema;
  if (additionalProperties || schema['x-kubernetes-preserve-unknown-fields']) return undefined;
  return required.find((name) => !properties?.has(name));
}
