import { closestName } from 'ots-apimachinery/closest-name';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { readText } from './read-text.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';

/** The formats that kube-apiserver enforces; of all others it only warns. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: (
    'bsonobjectid byte cidr creditcard date date-time datetime duration email hexcolor hostname ipv4 ipv6 isbn isbn10 isbn13 ' +
    'k8s-long-name k8s-short-name mac password rgbcolor ssn uri uuid uuid3 uuid4 uuid5'
  ).split(' '),
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** Applies @format. */
export function setFormat(schema: Schema, tag: Tag, fail: Fail): void {
  const formats = FORMATS[schema.type ?? ''];
  if (!formats) return fail(`is for strings and numbers, and this is ${describeSchema(schema)}`);
  const format = readText(tag, fail);
  if (format === undefined) return;
  if (!formats.includes(format)) {
    const meant = closestName(format, formats);
    const hint = meant ? `did you mean ${meant}?` : `the API server knows ${formats.join(', ')}`;
    return fail(`${format || 'without a value'} is not a format of ${describeSchema(schema)}`, hint);
  }
  if (schema.format && schema.format !== format)
    return fail(`differs from that of the type, ${schema.format}`);
  schema.format = format;
}
