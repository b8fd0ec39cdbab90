import { closestName } from 'ots-apimachinery/closest-name';
import { formatsOfType, isKnownFormat } from 'ots-apimachinery/formats/formats';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { readText } from './read-value.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';

/** Applies @format. */
export function setFormat(schema: Schema, tag: Tag, fail: Fail): void {
  const formats = formatsOfType.get(schema.type ?? '');
  if (!formats) return fail(`is for strings and numbers, and this is ${describeSchema(schema)}`);
  const format = readText(tag, fail);
  if (format === undefined) return;
  if (!isKnownFormat(format, schema.type ?? '')) {
    const suggestion = closestName(format, formats);
    const hint = suggestion ? `did you mean ${suggestion}?` : `the API server knows ${formats.join(', ')}`;
    return fail(`${format || 'without a value'} is not a format of ${describeSchema(schema)}`, hint);
  }
  if (schema.format && schema.format !== format)
    return fail(`differs from that of the type, ${schema.format}`);
  schema.format = format;
}
