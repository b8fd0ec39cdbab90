import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { writtenName } from '../tag-syntax/tag.ts';
import { marksKey } from '../schema/field-marks.ts';
import type { FieldMarks } from '../schema/field-marks.ts';
import type { Schema } from '../schema/schema.ts';

/** A property whose tags concern the whole kind. */
export interface MarkedField {
  readonly marks: FieldMarks;
  readonly schema: Schema;
  readonly name: string;
  /** Undefined for a property in a list or a map, which a path cannot reach. */
  readonly path: string | undefined;
}

/** Finds the marked properties of a kind, in schema order. */
export function markedFields(root: Schema): MarkedField[] {
  const found: MarkedField[] = [];
  // Schemas without marks. Schemas are shared, and most have no marks.
  const plain = new Set<Schema>();
  visit(root, '');
  return found;

  function visit(schema: Schema, path: string | undefined): void {
    if (plain.has(schema)) return;
    const before = found.length;
    for (const [name, property] of schema.properties ?? []) {
      const below = path === undefined ? undefined : `${path}.${name}`;
      const marks = property[marksKey];
      if (marks?.column || marks?.selectable) found.push({ marks, schema: property, name, path: below });
      visit(property, below);
    }
    for (const part of [schema.items, schema.additionalProperties]) if (part) visit(part, undefined);
    if (found.length === before) plain.add(schema);
  }
}

/** Reports marks without an effect in any kind because their properties are only in lists and maps. */
export function reportUnreachable(fields: readonly MarkedField[], diagnostics: Diagnostics): void {
  const tagsOf = ({ marks }: MarkedField) => [marks.column, marks.selectable];
  const reached = new Set(fields.filter(({ path }) => path !== undefined).flatMap(tagsOf));
  for (const tag of new Set(fields.flatMap(tagsOf))) {
    if (!tag || reached.has(tag)) continue;
    const message = `${writtenName(tag)} is for one value, and a list or map holds many of these`;
    diagnostics.error(tag.source, tag.span, 'misplaced-tag', message, 'remove it');
  }
}
