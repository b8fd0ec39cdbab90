import { isObject } from '../objects/json-object.ts';
import { jsonEqual } from '../objects/json-equal.ts';
import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from '../status/field-error.ts';
import { compilePattern } from './compile-pattern.ts';
import { matchesFormat } from './formats.ts';
import { type Schema, additionalSchema, itemSchema } from './json-schema.ts';
import { validateNumber } from './validate-number.ts';

/**
 * Checks a value against a structural schema. CEL rules (`x-kubernetes-validations`) are not evaluated.
 *
 * @param path of the value, such as `spec.ports[0]`; empty for the root
 */
export function validate(value: unknown, schema: Schema, path = ''): FieldError[] {
  if (value === null && schema.nullable === true) return [];
  const typeError = checkType(value, schema, path);
  if (typeError) return [typeError, ...integerFormatNote(value, schema, path)];
  return [
    ...checkEnum(value, schema, path),
    ...checkByType(value, schema, path),
    ...checkCombinations(value, schema, path),
  ];
}

/** The JSON type of a value in the words of a schema. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function checkType(value: unknown, schema: Schema, path: string): FieldError | undefined {
  const allowed = allowedTypes(schema);
  const actual = typeOf(value);
  if (allowed.length === 0 || allowed.includes(actual)) return undefined;
  if (actual === 'integer' && allowed.includes('number')) return undefined;
  const detail = `${subject(path)} must be of type ${allowed.join(',')}: ${JSON.stringify(actual)}`;
  return typeInvalid(path, actual, detail);
}

function allowedTypes(schema: Schema): string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined || schema.type === '' ? [] : [schema.type];
}

/** A real server reports a fraction in an integer twice. */
function integerFormatNote(value: unknown, schema: Schema, path: string): FieldError[] {
  if (schema.type !== 'integer' || typeof value !== 'number') return [];
  const format = schema.format === undefined ? '(default format)' : `with format ${schema.format}`;
  return [invalid('<nil>', '', `Checked value must be of type integer ${format} in ${path}`)];
}

function checkEnum(value: unknown, schema: Schema, path: string): FieldError[] {
  if (!schema.enum || schema.enum.some((allowed) => jsonEqual(allowed, value))) return [];
  return [notSupported(path, value, schema.enum)];
}

function checkByType(value: unknown, schema: Schema, path: string): FieldError[] {
  if (typeof value === 'string') return checkString(value, schema, path);
  if (typeof value === 'number') return validateNumber(value, schema, path);
  if (Array.isArray(value)) return checkList(value, schema, path);
  return isObject(value) ? checkObject(value, schema, path) : [];
}

function checkString(value: string, schema: Schema, path: string): FieldError[] {
  const { maxLength, minLength, pattern, format } = schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : Array.from(value).length;
  const errors: FieldError[] = [];
  if (maxLength !== undefined && length > maxLength) errors.push(tooLong(path, maxLength));
  if (minLength !== undefined && length < minLength) {
    errors.push(invalid(path, value, `${subject(path)} should be at least ${minLength} chars long`));
  }
  if (pattern !== undefined && !compilePattern(pattern).test(value)) {
    errors.push(invalid(path, value, `${subject(path)} should match '${pattern}'`));
  }
  if (format !== undefined && !matchesFormat(value, format)) {
    errors.push(
      typeInvalid(path, value, `${subject(path)} must be of type ${format}: ${JSON.stringify(value)}`),
    );
  }
  return errors;
}

function checkList(value: readonly unknown[], schema: Schema, path: string): FieldError[] {
  const { maxItems, minItems } = schema;
  const item = itemSchema(schema);
  const errors = item ? value.flatMap((entry, index) => validate(entry, item, `${path}[${index}]`)) : [];
  if (maxItems !== undefined && value.length > maxItems) errors.push(tooMany(path, value.length, maxItems));
  if (minItems !== undefined && value.length < minItems) {
    errors.push(invalid(path, value.length, `${subject(path)} should have at least ${minItems} items`));
  }
  return errors;
}

function checkObject(value: Record<string, unknown>, schema: Schema, path: string): FieldError[] {
  const { maxProperties, minProperties, properties = {} } = schema;
  const additional = additionalSchema(schema);
  const errors: FieldError[] = [];
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  const names = Object.keys(value);
  if (maxProperties !== undefined && names.length > maxProperties)
    errors.push(tooMany(path, names.length, maxProperties));
  if (minProperties !== undefined && names.length < minProperties) {
    errors.push(
      invalid(path, names.length, `${subject(path)} should have at least ${minProperties} properties`),
    );
  }
  for (const name of [...(schema.required ?? []), ...(isResource ? ['apiVersion', 'kind'] : [])]) {
    if (!Object.hasOwn(value, name)) errors.push(required(join(path, name)));
  }
  for (const [name, entry] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : additional;
    if (property) errors.push(...validate(entry, property, join(path, name)));
  }
  return errors;
}

function checkCombinations(value: unknown, schema: Schema, path: string): FieldError[] {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  const about = JSON.stringify(path);
  const fail = (message: string) => invalid('<nil>', '', `${about} ${message}`);
  const errors: FieldError[] = [];
  const ofAll = allOf.map((part) => validate(value, part, path)).filter((found) => found.length > 0);
  if (ofAll.length > 0) {
    const none = ofAll.length === allOf.length ? '. None validated' : '';
    errors.push(...ofAll.flat(), fail(`must validate all the schemas (allOf)${none}`));
  }
  const ofAny = anyOf.map((part) => validate(value, part, path));
  if (anyOf.length > 0 && ofAny.every((found) => found.length > 0)) {
    errors.push(fail('must validate at least one schema (anyOf)'), ...(ofAny[0] ?? []));
  }
  const ofOne = oneOf.map((part) => validate(value, part, path));
  const valid = ofOne.filter((found) => found.length === 0).length;
  if (oneOf.length > 0 && valid !== 1) {
    const detail = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    errors.push(
      fail(`must validate one and only one schema (oneOf). ${detail}`),
      ...(valid === 0 ? (ofOne[0] ?? []) : []),
    );
  }
  if (not && validate(value, not, path).length === 0) errors.push(fail('must not validate the schema (not)'));
  return errors;
}

function subject(path: string): string {
  return `${path} in body`;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
