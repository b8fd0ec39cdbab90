import type { DeepReadonly } from 'ots-runtime';

/** The parts of an OpenAPI v3 schema of a CRD that say which values a field may have. */
export interface FieldSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly additionalProperties?: FieldSchema | boolean;
  readonly minItems?: number;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string }[];
}

/** Another value for a field. */
export interface Mutation {
  /** Below the object, such as `['spec', 'replicas']`. */
  readonly path: readonly string[];
  /** JSON; null removes the field. */
  readonly value: unknown;
  /** Whether the value may be a bad one, such as the name of an object that does not exist: the schema says nothing about it. */
  readonly isGuess?: true;
}

/** Bounds beyond this are for the server, not for the operator: it would make as many pods. */
const maxNumber = 5;

/**
 * Values that the schema allows: every optional field left out, numbers at their bounds, every value of an enumeration, every flag turned
 * over, an entry more in maps, an element less in lists.
 *
 * @param value what the object has there
 */
export function mutationsOf(
  schema: FieldSchema,
  value: unknown,
  path: readonly string[] = ['spec'],
): Mutation[] {
  const own = valuesFor(schema, value)
    .filter((other) => JSON.stringify(other) !== JSON.stringify(value))
    .map((other): Mutation => ({ path, value: other, ...(isGuess(schema) && { isGuess: true }) }));
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const current = isRecord(value) ? value[name] : undefined;
    const isOptional = !schema.required?.includes(name);
    const removal: Mutation[] =
      isOptional && current !== undefined ? [{ path: [...path, name], value: null }] : [];
    // What is in a part that is not there depends on all of that part.
    const isThere = current !== undefined || field.properties === undefined;
    return [...removal, ...(isThere ? mutationsOf(field, current, [...path, name]) : [])];
  });
  return [...own, ...below];
}

function isGuess({ type, enum: values }: FieldSchema): boolean {
  return type === 'string' && !values;
}

function valuesFor(schema: FieldSchema, value: unknown): unknown[] {
  if (schema.enum) return [...schema.enum];
  switch (schema.type) {
    case 'boolean':
      return [value !== true];
    case 'integer':
    case 'number':
      return numbersFor(schema, value);
    case 'string':
      return typeof value === 'string' && !schema.pattern && !schema.format ? stringsFor(schema, value) : [];
    case 'array':
      return Array.isArray(value) && value.length > (schema.minItems ?? 0) ? [value.slice(0, -1)] : [];
    case 'object':
      return isRecord(value) || value === undefined ? mapsFor(schema, value ?? {}) : [];
    default:
      return [];
  }
}

function numbersFor({ minimum, maximum }: FieldSchema, value: unknown): number[] {
  const least = minimum ?? 0;
  const most = Math.min(maximum ?? maxNumber, Math.max(least, maxNumber));
  const next = typeof value === 'number' ? value + 1 : least + 1;
  return [...new Set([least, most, Math.min(next, most)])];
}

function stringsFor({ minLength = 0, maxLength = 63 }: FieldSchema, value: string): string[] {
  const longer = `${value}-2`;
  return [...(minLength === 0 ? [''] : []), ...(longer.length <= maxLength ? [longer] : [])];
}

/** Adds an entry, if the entries are texts. */
function mapsFor({ additionalProperties }: FieldSchema, value: Record<string, unknown>): unknown[] {
  const hasTexts = typeof additionalProperties === 'object' && additionalProperties.type === 'string';
  return hasTexts ? [{ ...value, 'added-by-torture': 'yes' }] : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined if there is none. */
export function valueAt(object: DeepReadonly<unknown>, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), object);
}
