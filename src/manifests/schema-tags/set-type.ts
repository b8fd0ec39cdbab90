import { closestName } from 'ots-apimachinery/closest-name';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { openKey } from '../schema/open-type.ts';
import { readFlag, readText } from './read-value.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';

const types = ['string', 'integer', 'number', 'boolean', 'object', 'array'] as const;

/** Applies @schemaless: the schema of the type is dropped, and the other tags describe the value. */
export function setSchemaless(schema: Schema, tag: Tag, fail: Fail): void {
  if (!readFlag(tag, fail)) return;
  for (const key of Object.keys(schema) as (keyof Schema)[]) {
    if (key !== 'description' && key !== 'nullable') delete schema[key];
  }
  delete schema[openKey];
}

/** Applies @type, for values that TypeScript leaves open. */
export function setType(schema: Schema, tag: Tag, fail: Fail): void {
  const text = readText(tag, fail);
  if (text === undefined) return;
  const type = types.find((name) => name === text);
  if (!type) {
    acceptAnyValue(schema);
    const suggestion = closestName(text, types);
    return fail(`must be one of ${types.join(', ')}`, suggestion && `did you mean ${suggestion}?`);
  }
  if (schema.type === type) return;
  if (!isUntyped(schema)) {
    const hint = 'change the type itself; @type is for unknown, or goes with @schemaless';
    return fail(`contradicts the type, which is ${describeSchema(schema)}`, hint);
  }
  if (type === 'array') {
    acceptAnyValue(schema);
    return fail('array needs the type of its items', 'write T[] as the type');
  }
  schema.type = type;
  // An object without properties would lose its content, so the author must still say how to handle it.
  if (type !== 'object') delete schema[openKey];
}

/** Applies @intOrString. */
export function setIntOrString(schema: Schema, tag: Tag, fail: Fail): void {
  if (!readFlag(tag, fail) || schema['x-kubernetes-int-or-string']) return;
  if (!isUntyped(schema))
    return fail(`contradicts the type, which is ${describeSchema(schema)}`, 'write IntOrString as the type');
  schema.anyOf = [{ type: 'integer' }, { type: 'string' }];
  schema['x-kubernetes-int-or-string'] = true;
  delete schema[openKey];
}

/** Applies @preserveUnknownFields. */
export function setPreserveUnknownFields(schema: Schema, tag: Tag, fail: Fail): void {
  if (!readFlag(tag, fail)) return;
  if (schema.type !== 'object' && !isUntyped(schema))
    return fail(`is for objects, and this is ${describeSchema(schema)}`);
  schema['x-kubernetes-preserve-unknown-fields'] = true;
  delete schema[openKey];
}

/** Returns whether the schema does not say yet what kind of value it describes. */
export function isUntyped(schema: Schema): boolean {
  return schema.type === undefined && !schema['x-kubernetes-int-or-string'];
}

/**
 * Keeps a schema from being reported again as open, after another error about what kind of value it
 * describes.
 */
export function acceptAnyValue(schema: Schema): void {
  delete schema[openKey];
  if (isUntyped(schema)) schema['x-kubernetes-preserve-unknown-fields'] = true;
}

/** Reports a @schemaless without the tags that describe the value. */
export function checkSchemaless(schema: Schema, _: Tag, fail: Fail): void {
  if (!isUntyped(schema) || schema['x-kubernetes-preserve-unknown-fields']) return;
  acceptAnyValue(schema);
  fail('leaves the value without a type', 'add @type or @preserveUnknownFields');
}
