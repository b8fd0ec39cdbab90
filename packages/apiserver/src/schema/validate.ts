import type { Correlated } from 'ots-cel/correlated';
import { type FieldError, fieldPath, invalid, notSupported, tooMany } from '../status/field-error.ts';
import { jsonEqual } from '../json/json-equal.ts';
import { isObject } from '../json/json-object.ts';
import { sortKeys } from '../json/sort-keys.ts';
import { checkCombinations } from './check-combinations.ts';
import { checkType } from './check-type.ts';
import type { Run } from './run.ts';
import { type Schema, additionalSchema, itemSchema } from './json-schema.ts';
import { validateNumber } from './validate-number.ts';
import { checkFormat, checkString } from './validate-string.ts';

const maxPatternSteps = 20_000_000;

/** Options of a validation. */
export interface ValidateOptions {
  /** The path of the value, such as `status`. Messages name paths relative to the value. */
  base?: string;
  /** The value before an update: unchanged parts may stay invalid. */
  change?: Correlated | undefined;
  /** Whether the value is a default, which a real server checks slightly differently. */
  isDefault?: boolean;
}

/**
 * Validates a value against a structural schema. Other modules check rules (`x-kubernetes-validations`), embedded
 * objects and the uniqueness of items.
 *
 * @returns the errors, without duplicates
 */
export function validate(value: unknown, schema: Schema, options: ValidateOptions = {}): FieldError[] {
  const { base = '', change, isDefault = false } = options;
  const run: Run = { base, isDefault, patternSteps: { left: maxPatternSteps }, errors: [] };
  if (change) checkChanged(run, schema, '', change);
  else checkValue(run, value, schema, { path: '' });
  return run.errors.length < 2 ? run.errors : unique(run.errors);
}

/** The position of a value in the object. */
export interface Place {
  /** Such as `spec.ports[0]`; empty for the root. */
  readonly path: string;
  /** The value before, if it can be correlated. */
  readonly change?: Correlated;
}

/**
 * Validates one value. Counts every check that is made or passed: if all alternatives fail, the one that got
 * farthest is reported.
 *
 * @returns the count
 */
export function checkValue(run: Run, value: unknown, schema: Schema, place: Place): number {
  const { path } = place;
  if (value === null) {
    const matched = checkType(run, value, schema, path);
    checkEnum(run, value, schema, path);
    return matched;
  }
  let count = 2;
  const matched = checkType(run, value, schema, path);
  if (matched >= 0) count += matched + 1;
  count += checkCombinations(run, value, schema, path) + 1;
  if (typeof value === 'string')
    count += checkString(run, value, schema, path) + checkFormat(run, value, schema, path);
  else if (typeof value === 'number' || typeof value === 'bigint')
    count += validateNumber(run, value, schema, path) + 1;
  else if (Array.isArray(value)) count += checkList(run, value, schema, place) + 2;
  checkEnum(run, value, schema, path);
  if (isObject(value)) count += checkObject(run, value, schema, place) + 1;
  return count;
}

/** Accepts an unchanged value, though its parts may influence which alternative is reported. */
function checkChanged(run: Run, schema: Schema, path: string, change: Correlated): number {
  const before = run.errors.length;
  const count = checkValue(run, change.value, schema, { path, change });
  if (run.errors.length > before && change.unchanged) run.errors.length = before;
  return count;
}

/** @param parent the place of the value that has the child */
function checkChild(
  run: Run,
  key: string | number,
  value: unknown,
  schema: Schema,
  { parent, path }: { parent: Place; path: string },
): number {
  // Both versions are converted to the same version before they are compared.
  const isTypeField = parent.path === '' && (key === 'apiVersion' || key === 'kind');
  const change = isTypeField ? undefined : parent.change?.child(key);
  return change ? checkChanged(run, schema, path, change) : checkValue(run, value, schema, { path });
}

function checkList(run: Run, value: readonly unknown[], schema: Schema, place: Place): number {
  const { maxItems, minItems } = schema;
  const { path } = place;
  const item = itemSchema(schema);
  let count = 0;
  if (item) {
    for (const [index, entry] of value.entries())
      count += checkChild(run, index, entry, item, { parent: place, path: `${path}[${index}]` });
  }
  const { length } = value;
  if (minItems !== undefined && length < minItems)
    fail(run, path, length, `should have at least ${minItems} items`);
  if (maxItems !== undefined && length > maxItems)
    run.errors.push(tooMany(fieldPath(run.base, path), length, maxItems));
  return count;
}

function checkObject(run: Run, value: Record<string, unknown>, schema: Schema, place: Place): number {
  const { properties = {}, required = [] } = schema;
  const { path } = place;
  checkSize(run, Object.keys(value).length, schema, path);
  const additional = additionalSchema(schema);
  let count = 0;
  for (const name of Object.keys(value)) {
    const entry = value[name];
    if (Object.hasOwn(properties, name)) {
      const childPath = path === '' ? name : `${path}.${name}`;
      count += checkChild(run, name, entry, properties[name] ?? {}, { parent: place, path: childPath });
    } else if (additional) {
      // The path starts with a period even at the root, as in the messages of a real server.
      count += checkChild(run, name, entry, additional, { parent: place, path: `${path}.${name}` });
    } else if (schema.additionalProperties === false) {
      run.errors.push(
        invalid(fieldPath(run.base, path), name, `${path}.${name} in body is a forbidden property`),
      );
    }
  }
  for (const name of required) {
    if (!Object.hasOwn(value, name))
      run.errors.push({
        reason: 'FieldValueRequired',
        field: fieldPath(run.base, `${path}.${name}`),
        message: 'Required value',
      });
  }
  return count;
}

function checkSize(run: Run, size: number, { maxProperties, minProperties }: Schema, path: string): void {
  if (minProperties !== undefined && size < minProperties)
    fail(run, path, size, `should have at least ${minProperties} properties`);
  if (maxProperties !== undefined && size > maxProperties)
    run.errors.push(tooMany(fieldPath(run.base, path), size, maxProperties));
}

function checkEnum(run: Run, value: unknown, schema: Schema, path: string): void {
  const choices = schema.enum;
  if (!choices || choices.length === 0) return;
  // null is not a valid choice, even where it is listed.
  if (value !== null && choices.some((choice) => isChoice(value, choice))) return;
  run.errors.push(notSupported(fieldPath(run.base, path), sortKeys(value), choices.map(sortKeys)));
}

/** A real server first converts the value to the type of the choice: it truncates floats and turns numbers into characters. */
function isChoice(value: unknown, choice: unknown): boolean {
  if (jsonEqual(choice, value)) return true;
  if (typeof value !== 'number') return false;
  if (typeof choice === 'number') return Number.isInteger(choice) && Math.trunc(value) === choice;
  const isCharacter = Number.isInteger(value) && value >= 0 && value <= 0x10_ff_ff;
  return typeof choice === 'string' && isCharacter && choice === String.fromCodePoint(value);
}

function fail(run: Run, path: string, value: unknown, detail: string): void {
  run.errors.push(invalid(fieldPath(run.base, path), value, `${path} in body ${detail}`));
}

function unique(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.field}: ${error.message}`, error])).values()];
}
