import type { RuleFailure, StructuralSchema, ValidationRule } from 'ots-cel';
import { type Schema, additionalSchema, itemSchema } from '../../schema/json-schema.ts';
import { type FieldError, fieldPath, forbidden, invalid, required } from '../../status/field-error.ts';
import { resolveFieldPath } from '../resolve-field-path.ts';
import { cel } from './cel.ts';

/** The value to run rules on. */
export interface RuleSubject {
  schema: Schema;
  value: unknown;
  /** The value before an update. */
  old?: unknown;
  /** Whether the value is a whole object, with apiVersion, kind and metadata. */
  root: boolean;
  /** Rules that do not compile, and why. */
  broken?: ReadonlyMap<ValidationRule, string>;
}

/**
 * Runs the rules of a schema on a value.
 *
 * @param base the path of the value; empty for the object itself
 * @param ratcheted receives failures in parts that an update did not change
 */
export function ruleErrors(
  { schema, value, old, root, broken = new Map() }: RuleSubject,
  base = '',
  ratcheted: (error: FieldError) => void = () => {},
): FieldError[] {
  const asError = (failure: RuleFailure) => errorOf(failure, schema, base);
  const failures = cel().validateRules(asStructural(schema), value, old, {
    root,
    broken,
    ratcheted: (failure) => ratcheted(asError(failure)),
  });
  return failures.map(asError);
}

/** Casts a schema that is already validated. */
export function asStructural(schema: Schema): StructuralSchema {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a structural schema has no lists of item schemas
  return schema as StructuralSchema;
}

function errorOf(failure: RuleFailure, root: Schema, base: string): FieldError {
  const { path, schema } = placeOf(failure.path, root);
  const { message, reason, type, value, broken } = failure;
  const place = fieldPath(base, path);
  if (broken) return invalid(place, type, message);
  const inside = failure.fieldPath && schema ? resolveFieldPath(failure.fieldPath, schema) : undefined;
  const field = inside && 'field' in inside ? fieldPath(place === '<nil>' ? '' : place, inside.field) : place;
  // The content of the value is not shown.
  const shown = type === 'object' || type === 'array' ? undefined : { value };
  if (reason === 'FieldValueForbidden') return forbidden(field, message);
  if (reason === 'FieldValueRequired') return required(field, message);
  if (reason === 'FieldValueDuplicate') {
    const bare = invalid(field, shown?.value, '').message.replace('Invalid', 'Duplicate');
    return { reason, field, message: shown ? bare : 'Duplicate value' };
  }
  if (shown) return invalid(field, value, message);
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` };
}

/** Writes map keys in brackets. */
function placeOf(keys: RuleFailure['path'], root: Schema): { path: string; schema: Schema | undefined } {
  let path = '';
  let schema: Schema | undefined = root;
  for (const key of keys) {
    if (typeof key === 'number') {
      path += `[${key}]`;
      schema = schema && itemSchema(schema);
    } else if (schema?.properties && Object.hasOwn(schema.properties, key)) {
      path += path === '' ? key : `.${key}`;
      schema = schema.properties[key];
    } else {
      path += `[${key}]`;
      schema = schema && additionalSchema(schema);
    }
  }
  return { path, schema };
}
