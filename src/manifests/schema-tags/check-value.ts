import { validateValue } from 'ots-apiserver/validation';
import { schemaToJson } from '../schema/schema-json.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Json, Schema } from '../schema/schema.ts';
import { describeFieldError } from '../structural/describe-field-error.ts';
import type { Fail } from './apply-tags.ts';

/**
 * Reports a value that the API server would refuse as a default of a schema, or that no object may have.
 * @returns whether the value is valid
 */
export function checkValue(schema: Schema, value: Json, fail: Fail): boolean {
  const problem = problemOf(schema, value);
  if (problem === undefined) return true;
  const hint = 'change the value, or the type and the tags that it must satisfy';
  fail(`does not fit its type (${describeSchema(schema)}): ${problem}`, hint);
  return false;
}

function problemOf(schema: Schema, value: Json): string | undefined {
  if (value === null && schema.nullable) return undefined;
  if (isRounded(schema, value)) return 'must be an integer that a JavaScript number can hold';
  const [error] = validateValue(value, schemaToJson()(schema), 'it');
  if (!error) return undefined;
  const detail = describeFieldError(error);
  return error.field === 'it' ? detail : `${error.field.replaceAll('.[', '[')}: ${detail}`;
}

/** Returns whether a value has an integer that was rounded when it was read. The API server would not notice. */
function isRounded(schema: Schema, value: Json): boolean {
  if (typeof value === 'number')
    return schema.type === 'integer' && Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, item]) => {
    const part = schema.items ?? schema.properties?.get(name) ?? schema.additionalProperties;
    return part !== undefined && isRounded(part, item);
  });
}
