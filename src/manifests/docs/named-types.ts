import { aliasKey, type Alias } from '../schema/alias.ts';
import { originKey } from '../schema/origin.ts';
import type { Schema } from '../schema/schema.ts';
import { constraints } from './constraints.ts';
import { code, paragraphs } from './markdown.ts';
import type { Section } from './sections.ts';
import { structureOf, typeName } from './type-name.ts';

/** Returns the named type of a property's values or items. Objects have their own sections instead. */
export function namedTypeOf(schema: Schema): Alias | undefined {
  if (structureOf(schema)) return undefined;
  const inner = schema.items ?? schema.additionalProperties;
  return schema[aliasKey] ?? (inner && namedTypeOf(inner));
}

/** Distinguishes types of the same name in different files. */
export function keyOf({ name, schema: { [originKey]: origin } }: Alias): string {
  return origin ? `${name} ${origin.source.path}:${origin.span.start}` : name;
}

/** Returns the named types of the fields on a page, and the named types they use, sorted by name. */
export function namedTypesOf(sections: readonly Section[]): Map<string, Alias> {
  const found = new Map<string, Alias>();
  const add = (schema: Schema): void => {
    const type = namedTypeOf(schema);
    if (!type || found.has(keyOf(type))) return;
    found.set(keyOf(type), type);
    add(type.schema);
  };
  for (const { fields } of sections) for (const { schema } of fields) add(schema);
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Renders the section of a named type: blocks, to be separated by empty lines. */
export function namedTypeSection({ name, schema, description = schema.description }: Alias): string[] {
  const facts = [`type: ${typeName(schema)}`, ...constraints(schema)];
  return [
    `### ${code(name)}`,
    ...(description === undefined ? [] : [paragraphs(description)]),
    facts.map((fact) => `- ${fact}`).join('\n'),
  ];
}
