import type { Tag } from '../markers/tag.ts';
import type { Fail } from './apply-tags.ts';
import { readNumber } from './read-number.ts';
import { describeSchema } from './schema.ts';
import type { Schema } from './schema.ts';

type LengthBound = 'minLength' | 'maxLength' | 'minItems' | 'maxItems';

/** Applies a tag that bounds a length or a count. A bound of the type itself can be narrowed, not widened. */
export function setLengthBound(name: LengthBound): (schema: Schema, tag: Tag, fail: Fail) => void {
  const ofString = name === 'minLength' || name === 'maxLength';
  return (schema, tag, fail) => {
    const fits = ofString
      ? schema.type === 'string' || schema['x-kubernetes-int-or-string']
      : schema.type === 'array';
    if (!fits)
      return fail(
        `is for ${ofString ? 'strings' : 'arrays'}, and this is ${describeSchema(schema)}`,
        itemsHint(schema),
      );
    const value = readNumber(tag, fail);
    if (value === undefined) return;
    if (!Number.isSafeInteger(value) || value < 0) return fail('must be an integer that is not negative');
    const narrower = name.startsWith('min') ? Math.max : Math.min;
    schema[name] = narrower(schema[name] ?? value, value);
    const [low, high] = ofString ? [schema.minLength, schema.maxLength] : [schema.minItems, schema.maxItems];
    if (low !== undefined && high !== undefined && low > high) {
      fail('leaves nothing allowed: the minimum is above the maximum');
    }
  };
}

function itemsHint(schema: Schema): string | undefined {
  return schema.type === 'array'
    ? 'to constrain the items, give them a type of their own and tag that'
    : undefined;
}
