import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { writtenName } from '../tag-syntax/tag.ts';
import { marksKey } from '../schema/field-marks.ts';
import type { FieldMarks } from '../schema/field-marks.ts';
import type { Schema } from '../schema/schema.ts';

/** A property whose tags are about the kind that it ends up in. */
export interface MarkedField {
  readonly marks: FieldMarks;
  readonly schema: Schema;
  readonly name: string;
  /** Undefined for what is in a list or a map, which no path leads to. */
  readonly path: string | undefined;
}

/** Finds the marked properties of a kind, in the order of the schema. */
export function markedFields(root: Schema): MarkedField[] {
  const found: MarkedField[] = [];
  // Which schemas have no marks in them; they are shared, and most have none.
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

/** Reports the marks that had no effect in any kind, because their properties are only in lists and maps. */
export function reportUnreachable(fields: readonly MarkedField[], diagnostics: Diagnostics): void {
  const tagsOf = ({ marks }: MarkedField) => [marks.column, marks.selectable];
  const reached = new Set(fields.filter(({ path }) => path !== undefined).flatMap(tagsOf));
  for (const tag of new Set(fields.flatMap(tagsOf))) {
    if (!tag || reached.has(tag)) continue;
    const message = `${writtenName(tag)} is for one value, and a list or map holds many of these`;
    diagnostics.error(tag.source, tag.span, 'misplaced-tag', message, 'remove it');
  }
}
