import { cloneJson } from '../../json/clone-json.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { DecodeError } from '../../decoding/decode-error.ts';
import { sortKeys } from '../../json/sort-keys.ts';
import { StrictErrors } from '../../decoding/strict-errors.ts';
import { decodeEmbedded, validateEmbedded } from '../../schema/embedded-objects.ts';
import { type Schema, itemSchema } from '../../schema/json-schema.ts';
import { prune } from '../../schema/prune.ts';
import { validate } from '../../schema/validate.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { brokenRules } from '../rules/check-rules.ts';
import { hasRules } from '../rules/has-rules.ts';
import { ruleErrors } from '../rules/rule-errors.ts';

/**
 * Validates the defaults of a schema: each must be valid, have no fields that would be pruned, and satisfy the rules.
 *
 * @param sound the nested schemas whose defaults are known to be valid, and receives those whose defaults are
 */
export function validateDefaults(
  schema: Schema,
  path: string,
  sound?: WeakSet<Schema>,
  isRoot = true,
): FieldError[] {
  if (!isRoot && sound?.has(schema)) return [];
  const item = itemSchema(schema);
  const errors = [
    ...(schema.default === undefined ? [] : validateDefault(schema, `${path}.default`, isRoot)),
    ...(item ? validateDefaults(item, `${path}.items`, sound, false) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      validateDefaults(property, `${path}.properties[${name}]`, sound, false),
    ),
  ];
  if (!isRoot && errors.length === 0) sound?.add(schema);
  return errors;
}

function validateDefault(schema: Schema, field: string, isRoot: boolean): FieldError[] {
  const value: unknown = schema.default;
  const unknown = validateUnknown(value, schema, field);
  const errors = validateParts(value, schema, field);
  if (errors.length > 0 || !hasRules(schema)) return [...unknown, ...errors];
  // Once as an update of itself, and once as a new value.
  const subject = { schema, value, root: isRoot, broken: brokenRules(schema) };
  const replaced = ruleErrors({ ...subject, old: value }, field);
  return [...unknown, ...(replaced.length > 0 ? replaced : ruleErrors(subject, field))];
}

/**
 * Validates a value as a default of a schema, except for the rules.
 *
 * @param field the path of the default
 */
export function validateDefaultValue(value: unknown, schema: Schema, field: string): FieldError[] {
  return [...validateUnknown(value, schema, field), ...validateParts(value, schema, field)];
}

/** Wraps a schema, so an embedded object is checked like that of any field. */
function wrap(schema: Schema): Schema {
  return { type: 'object', properties: { value: schema } };
}

function validateUnknown(value: unknown, schema: Schema, field: string): FieldError[] {
  const pruned = { value: cloneJson(value) };
  prune(pruned, wrap(schema), []);
  if (jsonEqual(pruned.value, value)) return [];
  return [invalid(field, sortKeys(value), 'must not have unknown fields')];
}

function validateParts(value: unknown, schema: Schema, field: string): FieldError[] {
  const within = (error: FieldError) => ({ ...error, field: error.field.replace(/^value/, field) });
  try {
    decodeEmbedded({ value: cloneJson(value) }, wrap(schema), new StrictErrors());
  } catch (error) {
    if (error instanceof DecodeError) return [invalid(field, sortKeys(value), error.message)];
    throw error;
  }
  const embedded = validateEmbedded({ value }, wrap(schema)).map(within);
  return embedded.length > 0 ? embedded : validate(value, schema, { base: field, isDefault: true });
}
