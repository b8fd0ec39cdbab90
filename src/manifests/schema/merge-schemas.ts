import { aliasKey } from './alias.ts';
import { addConstraint } from './add-constraint.ts';
import { openKey } from './open-type.ts';
import { sameSchema } from './same-schema.ts';
import { maxSchemas, schemaSize } from './schema-size.ts';
import { describeSchema } from './schema.ts';
import type { Schema } from './schema.ts';

/**
 * Returns the schema of the values that two schemas both allow.
 * @returns the schema, with the documentation of the first where both have some; or a message that says why
 * no value fits both or why no schema can express it
 */
export function mergeSchemas(a: Schema, b: Schema): Schema | string {
  if (a === b || a[openKey]) return withDocs(b, a);
  if (b[openKey] || sameSchema(a, b)) return withDocs(a, b);
  if (schemaSize(a) + schemaSize(b) > maxSchemas)
    return `these types have more than ${maxSchemas} properties`;
  const kind = mergeKinds(a, b);
  if (!kind) return `a value cannot be both ${describeSchema(a)} and ${describeSchema(b)}`;
  const result: Schema = { ...b, ...a };
  for (const key of [
    'type',
    'anyOf',
    'x-kubernetes-int-or-string',
    'pattern',
    'multipleOf',
    'nullable',
  ] as const)
    delete result[key];
  delete result[aliasKey];
  Object.assign(result, kind);
  for (const name of ['pattern', 'multipleOf'] as const)
    for (const from of [a, b]) if (from[name] !== undefined) addConstraint(result, name, from[name]);
  if (a.nullable && b.nullable) result.nullable = true;
  return (
    mergeEnums(result, a, b) ??
    mergeFormats(result, a, b) ??
    mergeBounds(result, a, b) ??
    mergeRest(result, a, b) ??
    mergeParts(result, a, b) ??
    result
  );
}

function withDocs(schema: Schema, docs: Schema): Schema {
  const { title = docs.title, description = docs.description } = schema;
  return { ...schema, ...(title ? { title } : {}), ...(description ? { description } : {}) };
}

type Kind = Pick<Schema, 'type' | 'anyOf' | 'x-kubernetes-int-or-string'>;

/** Returns the type that both schemas have, or undefined if they have none in common. */
function mergeKinds(a: Schema, b: Schema): Kind | undefined {
  const [one, other] = [kindOf(a), kindOf(b)];
  if (one.type === undefined && !a['x-kubernetes-int-or-string']) return other;
  if (other.type === undefined && !b['x-kubernetes-int-or-string']) return one;
  if (one.type === other.type) return one;
  const types = [one.type, other.type];
  if (types.includes('integer') && types.includes('number')) return { type: 'integer' };
  if (one.type && other.type) return undefined;
  const { type } = one.type ? one : other;
  return type === 'integer' || type === 'string' ? { type } : undefined;
}

function kindOf({ type, anyOf, 'x-kubernetes-int-or-string': both }: Schema): Kind {
  return {
    ...(type ? { type } : {}),
    ...(anyOf ? { anyOf } : {}),
    ...(both ? { 'x-kubernetes-int-or-string': both } : {}),
  };
}

function mergeEnums(result: Schema, a: Schema, b: Schema): string | undefined {
  if (!a.enum || !b.enum) return undefined;
  const common = a.enum.filter((value) => b.enum!.includes(value));
  if (common.length === 0) return 'the listed values have none in common';
  result.enum = common;
  return undefined;
}

function mergeFormats(result: Schema, a: Schema, b: Schema): string | undefined {
  if (!a.format || !b.format || a.format === b.format) return undefined;
  const formats = [a.format, b.format];
  if (formats.includes('int32') && formats.includes('int64')) result.format = 'int32';
  else if (formats.includes('float') && formats.includes('double')) result.format = 'float';
  else return `a value cannot have the format ${a.format} and the format ${b.format}`;
  return undefined;
}

const counts = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

function mergeBounds(result: Schema, a: Schema, b: Schema): string | undefined {
  for (const [min, max] of counts) {
    if (a[min] !== undefined && b[min] !== undefined) result[min] = Math.max(a[min], b[min]);
    if (a[max] !== undefined && b[max] !== undefined) result[max] = Math.min(a[max], b[max]);
    if (result[min] !== undefined && result[max] !== undefined && result[min] > result[max])
      return `${min} ${result[min]} and ${max} ${result[max]} leave no valid value`;
  }
  mergeBound(result, a, b, 'minimum', 'exclusiveMinimum', (one, other) => one > other);
  mergeBound(result, a, b, 'maximum', 'exclusiveMaximum', (one, other) => one < other);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = result;
  if (minimum === undefined || maximum === undefined) return undefined;
  const isEmpty = minimum > maximum || (minimum === maximum && (exclusiveMinimum || exclusiveMaximum));
  return isEmpty ? `minimum ${minimum} and maximum ${maximum} leave no valid value` : undefined;
}

/**
 * Takes the stricter of two bounds, with its flag. If the bounds are equal, the exclusive one is stricter.
 */
function mergeBound(
  result: Schema,
  a: Schema,
  b: Schema,
  bound: 'minimum' | 'maximum',
  flag: 'exclusiveMinimum' | 'exclusiveMaximum',
  isStricter: (one: number, other: number) => boolean,
): void {
  const [one, other] = [a[bound], b[bound]];
  if (one === undefined || other === undefined) return;
  const isFirst = isStricter(one, other) || (one === other && a[flag] === true);
  const stricter = isFirst ? a : b;
  result[bound] = stricter[bound]!;
  delete result[flag];
  if (stricter[flag]) result[flag] = true;
}

/** Keywords that must be equal if both schemas have them. */
const mustBeEqual = [
  'default',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
] as const;

function mergeRest(result: Schema, a: Schema, b: Schema): string | undefined {
  for (const key of mustBeEqual) {
    const [one, other] = [JSON.stringify(a[key]), JSON.stringify(b[key])];
    if (one !== undefined && other !== undefined && one !== other) return `they differ in their ${key}`;
  }
  const rules = new Map(
    [...(a['x-kubernetes-validations'] ?? []), ...(b['x-kubernetes-validations'] ?? [])].map((rule) => [
      JSON.stringify(rule),
      rule,
    ]),
  );
  if (rules.size > 0) result['x-kubernetes-validations'] = [...rules.values()];
  const all = [...(a.allOf ?? []), ...(b.allOf ?? [])];
  // What addConstraint moved to allOf covers both.
  for (const more of all) {
    const isThere = result.allOf?.some((other) => sameSchema(other, more));
    if (!isThere) result.allOf = [...(result.allOf ?? []), more];
  }
  return undefined;
}

function mergeParts(result: Schema, a: Schema, b: Schema): string | undefined {
  const isMap = a.additionalProperties ?? b.additionalProperties;
  if (isMap && (a.properties ?? b.properties))
    return 'a value cannot be both a map and an object with properties';
  for (const part of ['items', 'additionalProperties'] as const) {
    if (!a[part] || !b[part]) continue;
    const merged = mergeSchemas(a[part], b[part]);
    if (typeof merged === 'string') return merged;
    result[part] = merged;
  }
  if (a.required && b.required) result.required = [...new Set([...a.required, ...b.required])].toSorted();
  if (!a.properties || !b.properties) return undefined;
  result.properties = new Map(a.properties);
  for (const [name, property] of b.properties) {
    const other = a.properties.get(name);
    const merged = other ? mergeSchemas(other, property) : property;
    if (typeof merged === 'string') return `${name}: ${merged}`;
    result.properties.set(name, merged);
  }
  return undefined;
}
