import type { Schema } from '../schema/schema.ts';
import type { Report } from './finding.ts';

const lowerBounds = [
  ['minimum', 'minimum-tightened'],
  ['minLength', 'min-length-tightened'],
  ['minItems', 'min-items-tightened'],
  ['minProperties', 'min-properties-tightened'],
] as const;

const upperBounds = [
  ['maximum', 'maximum-tightened'],
  ['maxLength', 'max-length-tightened'],
  ['maxItems', 'max-items-tightened'],
  ['maxProperties', 'max-properties-tightened'],
] as const;

interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** Compares the bounds of numbers, lengths and counts. */
export function compareBounds(before: Schema, after: Schema, report: Report): void {
  for (const [name, code] of lowerBounds) {
    const old = strictest(before, name, 1);
    const now = strictest(after, name, 1);
    // A length or a count is never negative.
    const isTrivial = name !== 'minimum' && now?.value === 0;
    if (now && !isTrivial && (!old || isStricter(now, old, 1))) reportTightened(report, name, code, old, now);
  }
  for (const [name, code] of upperBounds) {
    const old = strictest(before, name, -1);
    const now = strictest(after, name, -1);
    if (now && (!old || isStricter(now, old, -1))) reportTightened(report, name, code, old, now);
  }
}

function reportTightened(
  report: Report,
  name: string,
  code: string,
  old: Bound | undefined,
  now: Bound,
): void {
  const was = old ? `was ${show(old)}` : 'did not exist';
  report(
    code,
    `${name} ${was}, and is ${show(now)}; values beyond it are rejected`,
    old ? `keep @${name} ${old.value}` : `remove @${name}`,
  );
}

function show({ value, exclusive }: Bound): string {
  return exclusive ? `${value} (exclusive)` : String(value);
}

/**
 * Returns the strictest bound of the schema and its allOf.
 * @param direction 1 if a larger bound is stricter, -1 if a smaller one is
 */
function strictest(
  schema: Schema,
  name: (typeof lowerBounds | typeof upperBounds)[number][0],
  direction: 1 | -1,
): Bound | undefined {
  let result: Bound | undefined;
  for (const part of [schema, ...(schema.allOf ?? [])]) {
    const value = part[name];
    if (typeof value !== 'number') continue;
    const bound = inclusive(schema, { value, exclusive: isExclusive(part, name) }, direction);
    if (!result || isStricter(bound, result, direction)) result = bound;
  }
  return result;
}

function isExclusive(schema: Schema, name: string): boolean {
  if (name === 'minimum') return schema.exclusiveMinimum === true;
  return name === 'maximum' && schema.exclusiveMaximum === true;
}

/** Makes the bound of an integer inclusive: above 0 means 1 or more. */
function inclusive(schema: Schema, bound: Bound, direction: 1 | -1): Bound {
  if (schema.type !== 'integer' || !bound.exclusive) return bound;
  const next = direction === 1 ? Math.floor(bound.value) + 1 : Math.ceil(bound.value) - 1;
  return { value: next, exclusive: false };
}

function isStricter(a: Bound, b: Bound, direction: 1 | -1): boolean {
  if (a.value !== b.value) return (a.value - b.value) * direction > 0;
  return a.exclusive && !b.exclusive;
}
