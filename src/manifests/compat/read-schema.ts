import { propertyPath } from '../property-path.ts';
import type { Schema } from '../schema/schema.ts';

/** Thrown for a file whose definitions cannot be read. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
  /** The file, with line and column if they are known. */
  readonly at: string;

  constructor(at: string, message: string) {
    super(message);
    this.at = at;
  }
}

/** The fields that the comparison walks into or iterates over. It compares the others as they are. */
const lists = [
  'required',
  'enum',
  'allOf',
  'x-kubernetes-validations',
  'x-kubernetes-list-map-keys',
] as const;

/**
 * Converts a schema from a CRD's YAML to the form of generated schemas.
 *
 * @param at names the definition in errors
 * @param path where in the objects the schema applies
 * @throws BaselineError if it is not a schema
 */
export function readSchema(at: string, value: unknown, path: string): Schema {
  const fail = (what: string): never => {
    throw new BaselineError(at, `has no schema at ${path || 'the root'}: ${what}`);
  };
  if (!isObject(value)) return fail('it is not an object');
  for (const field of lists) {
    if (value[field] !== undefined && !Array.isArray(value[field])) fail(`${field} is not a list`);
  }
  const { properties, items, additionalProperties, ...rest } = value;
  if (properties !== undefined && !isObject(properties)) fail('properties is not an object');
  const schema: Schema = rest;
  schema['x-kubernetes-validations'] &&= schema['x-kubernetes-validations'].filter(
    (rule) => isObject(rule) && typeof rule.rule === 'string',
  );
  if (isObject(properties)) {
    const entries = Object.entries(properties);
    schema.properties = new Map(
      entries.map(([name, property]) => [name, readSchema(at, property, propertyPath(path, name))]),
    );
  }
  if (items !== undefined) schema.items = readSchema(at, items, `${path}[]`);
  if (isObject(additionalProperties) || additionalProperties === true)
    schema.additionalProperties =
      additionalProperties === true ? {} : readSchema(at, additionalProperties, `${path}.*`);
  return schema;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
