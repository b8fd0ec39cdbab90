import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { readNumber } from './read-value.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';

/** The two bounds of a length or a count, and what they apply to. */
const bounds = {
  Length: ['minLength', 'maxLength', 'strings'],
  Items: ['minItems', 'maxItems', 'arrays'],
  Properties: ['minProperties', 'maxProperties', 'objects'],
} as const;

type Unit = keyof typeof bounds;

/** Applies a tag that bounds a length or a count. It can tighten a bound of the type but not relax it. */
export function setLengthBound(
  name: `${'min' | 'max'}${Unit}`,
): (schema: Schema, tag: Tag, fail: Fail) => void {
  const unit = name.slice(3) as Unit;
  const [low, high, what] = bounds[unit];
  return (schema, tag, fail) => {
    if (!hasUnit(schema, unit))
      return fail(`is for ${what}, and this is ${describeSchema(schema)}`, itemsHint(schema, tag));
    const value = readNumber(tag, fail);
    if (value === undefined) return;
    if (!Number.isSafeInteger(value) || value < 0) return fail('must be an integer that is not negative');
    const stricter = name.startsWith('min') ? Math.max : Math.min;
    schema[name] = stricter(schema[name] ?? value, value);
    if (schema[low] !== undefined && schema[high] !== undefined && schema[low] > schema[high])
      fail('leaves no valid value: the minimum is greater than the maximum');
  };
}

function hasUnit(schema: Schema, unit: Unit): boolean {
  if (unit === 'Items') return schema.type === 'array';
  if (unit === 'Properties') return schema.type === 'object';
  return schema.type === 'string' || schema['x-kubernetes-int-or-string'] === true;
}

function itemsHint(schema: Schema, tag: Tag): string | undefined {
  if (schema.type !== 'array') return undefined;
  return tag.form === 'tag'
    ? `to constrain the items, write @items.${tag.name}`
    : 'to constrain the items, write +kubebuilder:validation:items:…';
}
