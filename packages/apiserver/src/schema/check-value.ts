import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { Correlated } from 'ots-cel/correlated';
import { appendAll } from '../json/append-all.ts';
import { isObject } from '../json/json-object.ts';
import { fieldPath, invalid } from '../status/field-error.ts';
import { checkEnum } from './check-enum.ts';
import { checkItemCount, checkPropertyCount } from './check-counts.ts';
import { checkType } from './check-type.ts';
import type { Run } from './run.ts';
import { type Schema, additionalSchema, itemSchema } from './json-schema.ts';
import { validateNumber } from './validate-number.ts';
import { checkFormat, checkString } from './validate-string.ts';

/** The position of a value in the object. */
interface Place {
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
export function checkChanged(run: Run, schema: Schema, path: string, change: Correlated): number {
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
  const { path } = place;
  const item = itemSchema(schema);
  let count = 0;
  if (item) {
    for (const [index, entry] of value.entries())
      count += checkChild(run, index, entry, item, { parent: place, path: `${path}[${index}]` });
  }
  checkItemCount(run, value.length, schema, path);
  return count;
}

function checkObject(run: Run, value: Record<string, unknown>, schema: Schema, place: Place): number {
  const { properties = {}, required = [] } = schema;
  const { path } = place;
  checkPropertyCount(run, Object.keys(value).length, schema, path);
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

/** What the check of an alternative found. */
interface Outcome {
  readonly errors: Run['errors'];
  readonly count: number;
}

/**
 * Checks allOf, anyOf, oneOf and not. This forgets what the parts of the value were before an update: they are
 * checked as if they were new.
 *
 * @returns the number of checks that were made and passed
 */
function checkCombinations(run: Run, value: unknown, schema: Schema, path: string): number {
  const { allOf, anyOf, oneOf, not } = schema;
  let count = 1;
  if (anyOf && anyOf.length > 0) count += checkAny(run, value, anyOf, path);
  if (oneOf && oneOf.length > 0) count += checkOne(run, value, oneOf, path);
  if (allOf && allOf.length > 0) count += checkAll(run, value, allOf, path);
  if (not && attempt(run, value, not, path).errors.length === 0)
    failAlternatives(run, path, 'must not validate the schema (not)');
  return count;
}

/** The first alternative that fits counts, or the one that got farthest. */
function checkAny(run: Run, value: unknown, parts: readonly Schema[], path: string): number {
  let best: Outcome | undefined;
  for (const part of parts) {
    const outcome = attempt(run, value, part, path);
    if (outcome.errors.length === 0) return outcome.count;
    if (!best || outcome.count > best.count) best = outcome;
  }
  failAlternatives(run, path, 'must validate at least one schema (anyOf)');
  return report(run, best);
}

function checkOne(run: Run, value: unknown, parts: readonly Schema[], path: string): number {
  let best: Outcome | undefined;
  let first: Outcome | undefined;
  let valid = 0;
  for (const part of parts) {
    const outcome = attempt(run, value, part, path);
    if (outcome.errors.length === 0) {
      valid += 1;
      first ??= outcome;
      best = undefined;
    } else if (valid === 0 && (!best || outcome.count > best.count)) {
      best = outcome;
    }
  }
  if (valid === 1) return first?.count ?? 0;
  const detail = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  failAlternatives(run, path, `must validate one and only one schema (oneOf). ${detail}`);
  return report(run, best);
}

function checkAll(run: Run, value: unknown, parts: readonly Schema[], path: string): number {
  const outcomes = parts.map((part) => attempt(run, value, part, path));
  const valid = outcomes.filter(({ errors }) => errors.length === 0).length;
  let count = 0;
  for (const outcome of outcomes) count += report(run, outcome);
  if (valid < parts.length)
    failAlternatives(
      run,
      path,
      `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`,
    );
  return count;
}

function attempt(run: Run, value: unknown, part: Schema, path: string): Outcome {
  const errors: Run['errors'] = [];
  return { errors, count: checkValue({ ...run, errors }, value, part, { path }) };
}

function report(run: Run, outcome: Outcome | undefined): number {
  if (!outcome) return 0;
  appendAll(run.errors, outcome.errors);
  return outcome.count;
}

function failAlternatives(run: Run, path: string, message: string): void {
  run.errors.push(invalid(fieldPath(run.base, ''), '', `${goQuote(path)} ${message}`));
}
