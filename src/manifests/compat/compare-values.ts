import { isDeepStrictEqual } from 'node:util';
import type { Json, Schema } from '../schema/schema.ts';
import type { Report } from './finding.ts';

/** Compares null, the values of an enum, and the default. */
export function compareValues(before: Schema, after: Schema, report: Report): void {
  if (before.nullable && !after.nullable) {
    report('nullable-removed', 'null was a legal value, and is rejected', 'keep | null');
  }
  compareEnums(before, after, report);
  compareDefaults(before, after, report);
}

function compareEnums(before: Schema, after: Schema, report: Report): void {
  if (!after.enum) return;
  // Null is compared separately.
  const allowed = after.enum.filter((value) => value !== null);
  if (!before.enum) {
    report(
      'enum-narrowed',
      `any value was legal, and now only ${show(allowed)}`,
      'keep the type open, or list every value that can be in use in a new version of the API',
    );
    return;
  }
  const removed = before.enum.filter((value) => value !== null && !allowed.includes(value));
  if (removed.length > 0) {
    report(
      'enum-narrowed',
      `${show(removed)} ${removed.length === 1 ? 'was a legal value, and is' : 'were legal values, and are'} rejected`,
      'keep the value, deprecate it in its description, and treat it like its replacement',
    );
  }
}

function compareDefaults(before: Schema, after: Schema, report: Report): void {
  if (before.default === undefined || isDeepStrictEqual(before.default, after.default)) return;
  const old = JSON.stringify(before.default);
  if (after.default === undefined) {
    report(
      'default-removed',
      `the default was ${old}, and was removed; objects that relied on it have no value`,
      `keep @default ${old}`,
    );
    return;
  }
  report(
    'default-changed',
    `the default was ${old}, and is ${JSON.stringify(after.default)}; objects without the field change their meaning`,
    `keep @default ${old}, or change it in a new version of the API`,
  );
}

function show(values: readonly Json[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}
