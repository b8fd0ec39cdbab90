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

/** Validates the defaults of a schema: each must be valid, have no fields that would be pruned, and satisfy the rules. */
export function validateDefaults(schema: Schema, path: string, isRoot = true): FieldError[] {
  const item = itemSchema(schema);
  return [
    ...(schema.default === undefined ? [] : validateDefault(schema, `${path}.default`, isRoot)),
    ...(item ? validateDefaults(item, `${path}.items`, false) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      validateDefaults(property, `${path}.properties[${name}]`, false),
    ),
  ];
}

function validateDefault(schema: Schema, field: string, isRoot: boolean): FieldError[] {
  const value: unknown = schema.default;
  // Wrapped, so an embedded object is checked like that of any field.
  const wrapper: Schema = { type: 'object', properties: { value: schema } };
  const pruned = { value: cloneJson(value) };
  prune(pruned, wrapper, []);
  const unknown = jsonEqual(pruned.value, value)
    ? []
    : [invalid(field, sortKeys(value), 'must not have unknown fields')];
  const within = (error: FieldError) => ({ ...error, field: error.field.replace(/^value/, field) });
  try {
    decodeEmbedded({ value: cloneJson(value) }, wrapper, new StrictErrors());
  } catch (error) {
    if (error instanceof DecodeError) return [...unknown, invalid(field, sortKeys(value), error.message)];
    throw error;
  }
  const embedded = validateEmbedded({ value }, wrapper).map(within);
  if (embedded.length > 0) return [...unknown, ...embedded];
  const errors = validate(value, schema, { base: field, isDefault: true });
  if (errors.length > 0 || !hasRules(schema)) return [...unknown, ...errors];
  // Once as an update of itself, and once as a new value.
  const subject = { schema, value, root: isRoot, broken: brokenRules(schema) };
  const replaced = ruleErrors({ ...subject, old: value }, field);
  return [...unknown, ...(replaced.length > 0 ? replaced : ruleErrors(subject, field))];
}
