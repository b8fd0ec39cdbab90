import { matchesFormat } from 'ots-apimachinery/formats/formats';
import { matchesPattern } from 'ots-cel';
import { checkEmbeddedResource } from './check-embedded-resource.ts';
import { describeSchema } from './schema.ts';
import type { Json, JsonObject, Schema } from './schema.ts';

const integerRanges: Readonly<Record<string, number>> = { int32: 2 ** 31 };

/**
 * Checks a value against a schema as the API server checks defaults: it also rejects unknown properties.
 * @param path name of the value in the message
 * @returns what is wrong, or undefined
 */
export function checkValue(schema: Schema, value: Json, path: string): string | undefined {
  if (value === null) return schema.nullable ? undefined : `${path} cannot be null`;
  if (!hasType(schema, value)) return `${path} must be ${describeSchema(schema)}, not ${show(value)}`;
  if (schema.enum && !schema.enum.some((allowed) => allowed === value)) {
    return `${path} is ${show(value)}, which is not one of ${schema.enum.map(show).join(', ')}`;
  }
  return (
    checkConstraints(schema, value, path) ??
    schema.allOf?.map((part) => checkConstraints(part, value, path)).find((problem) => problem !== undefined)
  );
}

/** Checks everything but the type, which a structural schema does not repeat in allOf. */
function checkConstraints(schema: Schema, value: Json, path: string): string | undefined {
  if (typeof value === 'number') return checkNumber(schema, value, path);
  if (typeof value === 'string') return checkString(schema, value, path);
  if (Array.isArray(value)) return checkArray(schema, value, path);
  if (value !== null && typeof value === 'object') return checkObject(schema, value, path);
  return undefined;
}

function hasType(schema: Schema, value: Json): boolean {
  if (schema['x-kubernetes-int-or-string']) return typeof value === 'string' || Number.isSafeInteger(value);
  switch (schema.type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case undefined:
      return schema['x-kubernetes-preserve-unknown-fields'] === true;
    default:
      return typeof value === schema.type;
  }
}

function checkNumber(schema: Schema, value: number, path: string): string | undefined {
  const range = integerRanges[schema.format ?? ''];
  if (range !== undefined && (value < -range || value >= range))
    return `${path} does not fit ${schema.format}`;
  const { minimum, maximum, multipleOf } = schema;
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    return `${path} is ${value}, below its minimum`;
  }
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    return `${path} is ${value}, above its maximum`;
  }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf))
    return `${path} is not a multiple of ${multipleOf}`;
  return undefined;
}

/**
 * Computes as the API server does, with floating-point rounding errors. For an integer, the API server drops
 * the fraction of the factor.
 */
function isMultiple(value: number, factor: number): boolean {
  if (Number.isInteger(value) && (Math.trunc(factor) === 0 || value % Math.trunc(factor) !== 0)) return false;
  const quotient = Math.abs(factor < 1 ? (1 / factor) * value : value / factor);
  const whole = Math.trunc(quotient);
  return quotient === whole || (quotient - whole) / (quotient + whole) < 1e-9;
}

function checkString(schema: Schema, value: string, path: string): string | undefined {
  const length = Array.from(value).length;
  if (schema.minLength !== undefined && length < schema.minLength)
    return `${path} is shorter than minLength ${schema.minLength}`;
  if (schema.maxLength !== undefined && length > schema.maxLength)
    return `${path} is longer than maxLength ${schema.maxLength}`;
  if (schema.format !== undefined && !matchesFormat(value, schema.format))
    return `${path} is not a valid ${schema.format}`;
  if (schema.pattern !== undefined && matchesPattern(schema.pattern, value) === false)
    return `${path} does not match ${schema.pattern}`;
  return undefined;
}

function checkArray(schema: Schema, value: Json[], path: string): string | undefined {
  if (schema.minItems !== undefined && value.length < schema.minItems)
    return `${path} has fewer items than minItems ${schema.minItems}`;
  if (schema.maxItems !== undefined && value.length > schema.maxItems)
    return `${path} has more items than maxItems ${schema.maxItems}`;
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const problem = schema.items && checkValue(schema.items, item, `${path}[${index}]`);
    if (problem) return problem;
    const key = listKey(schema, item);
    if (key !== undefined && seen.has(key))
      return `${path}[${index}] repeats an item of the ${schema['x-kubernetes-list-type']}`;
    if (key !== undefined) seen.add(key);
  }
  return undefined;
}

/** Returns the key that must be unique among the items of a list. */
function listKey(schema: Schema, item: Json): string | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return JSON.stringify(item);
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys || item === null || typeof item !== 'object' || Array.isArray(item)) return undefined;
  return JSON.stringify(keys.map((key) => item[key] ?? schema.items?.properties?.get(key)?.default ?? null));
}

function checkObject(schema: Schema, value: JsonObject, path: string): string | undefined {
  const entries = Object.entries(value);
  if (schema.minProperties !== undefined && entries.length < schema.minProperties)
    return `${path} has fewer properties than minProperties ${schema.minProperties}`;
  if (schema.maxProperties !== undefined && entries.length > schema.maxProperties)
    return `${path} has more properties than maxProperties ${schema.maxProperties}`;
  for (const [name, item] of entries) {
    const property = schema.properties?.get(name) ?? schema.additionalProperties;
    if (!property && !takesUnknown(schema, name)) return `${path} has no property ${name}`;
    const problem = property && checkValue(property, item, `${path}.${name}`);
    if (problem) return problem;
  }
  for (const name of schema.required ?? []) {
    // The API server does not apply the defaults of properties before it checks the default of their parent.
    if (!Object.hasOwn(value, name)) return `${path}.${name} is missing`;
  }
  return schema['x-kubernetes-embedded-resource'] ? checkEmbeddedResource(value, path) : undefined;
}

/** The fields that the API server adds to an object that is a whole resource. */
const resourceFields: readonly string[] = ['apiVersion', 'kind', 'metadata'];

function takesUnknown(schema: Schema, name: string): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields']) return true;
  if (schema['x-kubernetes-embedded-resource'] && resourceFields.includes(name)) return true;
  // A part of allOf constrains its parent schema, which lists the properties.
  return !schema.properties && !schema.additionalProperties && schema.type === undefined;
}

function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
