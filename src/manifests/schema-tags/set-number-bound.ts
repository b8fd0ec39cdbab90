import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { addConstraint } from '../schema/add-constraint.ts';
import { readNumber } from './read-value.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Applies a tag that bounds a number. It can tighten a bound of the type but not relax it.
 * @param exclusive whether the bound itself is excluded; then the tag's value is the bound, or `true` to
 * exclude the bound of the other tag
 */
export function setNumberBound(
  bound: 'minimum' | 'maximum',
  exclusive = false,
): (schema: Schema, tag: Tag, fail: Fail) => void {
  const flag = bound === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  return (schema, tag, fail) => {
    if (!isNumeric(schema)) return fail(`is for numbers, and this is ${describeSchema(schema)}`);
    if (exclusive && tag.value === 'false') return;
    if (exclusive && tag.value === 'true') {
      if (schema[bound] === undefined)
        return fail(`also needs @${bound}`, `write @${flag} with the bound itself`);
      schema[flag] = true;
    } else {
      const value = readNumber(tag, fail);
      if (value === undefined) return;
      if (schema.type === 'integer' && !Number.isSafeInteger(value))
        return fail('must be an integer, because the type is');
      const inherited = schema[bound] ?? value;
      if (bound === 'minimum' ? value >= inherited : value <= inherited) {
        if (value !== inherited) delete schema[flag];
        schema[bound] = value;
        if (exclusive) schema[flag] = true;
      }
    }
    checkRange(schema, fail);
  };
}

/** Applies @multipleOf. */
export function setMultipleOf(schema: Schema, tag: Tag, fail: Fail): void {
  if (!isNumeric(schema)) return fail(`is for numbers, and this is ${describeSchema(schema)}`);
  const value = readNumber(tag, fail);
  if (value === undefined) return;
  if (value <= 0) return fail('must be above 0');
  if (schema.type === 'integer' && !Number.isSafeInteger(value))
    return fail('must be an integer, because the type is');
  addConstraint(schema, 'multipleOf', value);
}

function isNumeric(schema: Schema): boolean {
  return schema.type === 'integer' || schema.type === 'number';
}

function checkRange(schema: Schema, fail: Fail): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (minimum === undefined || maximum === undefined) return;
  if (minimum > maximum || (minimum === maximum && (exclusiveMinimum || exclusiveMaximum))) {
    fail('leaves no valid value: the minimum is not less than the maximum');
  }
}
