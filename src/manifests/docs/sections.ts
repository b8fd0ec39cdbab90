import { propertyPath } from '../property-path.ts';
import type { Schema } from '../schema/schema.ts';
import { isBuiltin, structureOf } from './type-name.ts';

/** An object of the API that gets its own table. */
export interface Section {
  /** Path in objects of the kind, such as `.spec.ports[]`; empty for the object itself. */
  readonly path: string;
  readonly schema: Schema;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly path: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** The path of the section with the details. */
  readonly section?: string;
}

/** The properties of every object, which need no explanation. */
const commonProperties = new Set(['apiVersion', 'kind']);

/**
 * Returns the sections of a kind: the object itself and the objects in it, each after the object that
 * contains it.
 */
export function sectionsOf(schema: Schema, path = ''): Section[] {
  const nested: Section[] = [];
  const fields: Field[] = [];
  const required = new Set(schema.required);
  for (const [name, property] of schema.properties ?? []) {
    if (path === '' && commonProperties.has(name)) continue;
    const at = propertyPath(path, name);
    const structure = structureOf(property);
    const field = { path: at, schema: property, required: required.has(name) };
    if (!structure || isBuiltin(structure)) {
      fields.push(field);
      continue;
    }
    const section = innerPath(property, at);
    fields.push({ ...field, section });
    nested.push(...sectionsOf(structure, section));
  }
  return [{ path, schema, fields }, ...nested];
}

function innerPath(schema: Schema, path: string): string {
  if (schema.properties?.size) return path;
  if (schema.items) return innerPath(schema.items, `${path}[]`);
  return schema.additionalProperties ? innerPath(schema.additionalProperties, `${path}.*`) : path;
}
