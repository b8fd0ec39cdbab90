import type { Schema } from '../schema/schema.ts';
import { code, prose } from './markdown.ts';

const bounds = [
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

/** Returns the constraints on a value beside its type, one Markdown line each. */
export function constraints(schema: Schema): string[] {
  return [
    ...own(schema),
    ...(schema.items ? labeled('items', schema.items) : []),
    ...(schema.additionalProperties ? labeled('values', schema.additionalProperties) : []),
  ];
}

/** Objects with properties have their own table. */
function labeled(label: string, schema: Schema): string[] {
  return schema.properties?.size ? [] : constraints(schema).map((line) => `${label}: ${line}`);
}

function own(schema: Schema): string[] {
  const lines: string[] = [];
  if (schema.nullable) lines.push('may be null');
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null);
    lines.push(`one of ${values.map((value) => code(shown(value))).join(', ')}`);
  }
  for (const bound of bounds) {
    const value = schema[bound];
    if (value === undefined) continue;
    const isExclusive =
      (bound === 'minimum' && schema.exclusiveMinimum) || (bound === 'maximum' && schema.exclusiveMaximum);
    lines.push(`${bound} ${value}${isExclusive ? ' (exclusive)' : ''}`);
  }
  if (schema.pattern !== undefined) lines.push(`matches ${code(schema.pattern)}`);
  lines.push(...lists(schema));
  if (schema['x-kubernetes-embedded-resource']) lines.push('a whole object with apiVersion and kind');
  if (schema['x-kubernetes-preserve-unknown-fields']) lines.push('other fields are kept');
  for (const part of schema.allOf ?? []) lines.push(...own(part));
  lines.push(...rules(schema));
  return lines;
}

function lists(schema: Schema): string[] {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (keys) return [`items are unique by ${keys.map(code).join(', ')}`];
  return schema['x-kubernetes-list-type'] === 'set' ? ['items are unique'] : [];
}

/** Returns the rules of a schema, each with the message that a violation produces. */
export function rules(schema: Schema): string[] {
  return (schema['x-kubernetes-validations'] ?? []).map(({ rule, message }) => {
    const text = code(rule.replaceAll(/\s+/g, ' ').trim());
    return message === undefined ? `rule ${text}` : `rule ${text}: ${prose(message)}`;
  });
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
