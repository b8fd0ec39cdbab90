import { goQuote } from 'ots-apimachinery/go/go-quote';
import { appendAll } from '../json/append-all.ts';
import { fieldPath, invalid } from '../status/field-error.ts';
import type { Run } from './run.ts';
import type { Schema } from './json-schema.ts';
import { checkValue } from './validate.ts';

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
export function checkCombinations(run: Run, value: unknown, schema: Schema, path: string): number {
  const { allOf, anyOf, oneOf, not } = schema;
  let count = 1;
  if (anyOf && anyOf.length > 0) count += checkAny(run, value, anyOf, path);
  if (oneOf && oneOf.length > 0) count += checkOne(run, value, oneOf, path);
  if (allOf && allOf.length > 0) count += checkAll(run, value, allOf, path);
  if (not && attempt(run, value, not, path).errors.length === 0)
    fail(run, path, 'must not validate the schema (not)');
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
  fail(run, path, 'must validate at least one schema (anyOf)');
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
  fail(run, path, `must validate one and only one schema (oneOf). ${detail}`);
  return report(run, best);
}

function checkAll(run: Run, value: unknown, parts: readonly Schema[], path: string): number {
  const outcomes = parts.map((part) => attempt(run, value, part, path));
  const valid = outcomes.filter(({ errors }) => errors.length === 0).length;
  let count = 0;
  for (const outcome of outcomes) count += report(run, outcome);
  if (valid < parts.length)
    fail(run, path, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
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

function fail(run: Run, path: string, message: string): void {
  run.errors.push(invalid(fieldPath(run.base, ''), '', `${goQuote(path)} ${message}`));
}
