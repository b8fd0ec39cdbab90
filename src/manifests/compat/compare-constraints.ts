import { originKey } from '../schema/origin.ts';
import type { Schema } from '../schema/schema.ts';
import { canonical } from './canonical.ts';
import type { Report } from './finding.ts';

/** Formats, each with the formats whose values are all valid in it. */
const narrowerFormats: Readonly<Record<string, readonly string[]>> = {
  int64: ['int32'],
  double: ['float'],
  uuid: ['uuid3', 'uuid4', 'uuid5'],
};

/** Compares constraints other than bounds: pattern, format, multipleOf, allOf and rules. */
export function compareConstraints(before: Schema, after: Schema, report: Report): void {
  comparePatterns(before, after, report);
  compareFormats(before, after, report);
  compareMultiples(before, after, report);
  compareAllOf(before, after, report);
  compareRules(before, after, report);
}

function comparePatterns(before: Schema, after: Schema, report: Report): void {
  if (after.pattern === undefined || after.pattern === before.pattern) return;
  if (before.pattern === undefined) {
    report('pattern-added', `the pattern ${after.pattern} is new; values must match it`, 'remove @pattern');
    return;
  }
  report(
    'pattern-changed',
    `the pattern was ${before.pattern}, and is ${after.pattern}; what matched may not match`,
    'keep the pattern, or write (old)|(new)',
  );
}

function compareFormats(before: Schema, after: Schema, report: Report): void {
  const { type, format } = after;
  if (format === undefined || format === before.format) return;
  if (before.format !== undefined && narrowerFormats[format]?.includes(before.format)) return;
  // Without a format, an integer has 64 bits and a number is a double.
  if (before.format === undefined && (format === 'int64' || format === 'double') && type !== 'string') return;
  const was = before.format === undefined ? 'there was no format' : `the format was ${before.format}`;
  const hint = before.format === undefined ? 'remove the format' : `keep the format ${before.format}`;
  report('format-changed', `${was}, and it is ${format}; other values are rejected`, hint);
}

function compareMultiples(before: Schema, after: Schema, report: Report): void {
  const { multipleOf } = after;
  if (multipleOf === undefined) return;
  if (before.multipleOf !== undefined && Number.isInteger(before.multipleOf / multipleOf)) return;
  const was = before.multipleOf === undefined ? 'did not exist' : `was ${before.multipleOf}`;
  report(
    'multiple-of-changed',
    `multipleOf ${was}, and is ${multipleOf}; other values are rejected`,
    before.multipleOf === undefined ? 'remove @multipleOf' : `keep @multipleOf ${before.multipleOf}`,
  );
}

/** Bounds in allOf are compared together with all other bounds. */
function compareAllOf(before: Schema, after: Schema, report: Report): void {
  const known = new Set((before.allOf ?? []).map(withoutBounds));
  for (const part of after.allOf ?? []) {
    const text = withoutBounds(part);
    if (text === '{}' || known.has(text)) continue;
    report(
      'constraint-added',
      `the constraint ${text} is new`,
      'remove the tag that adds it',
      part[originKey],
    );
  }
}

function withoutBounds(schema: Schema): string {
  const rest = Object.entries(schema).filter(([name]) => !/^(?:min|max|exclusive)/.test(name));
  return canonical(Object.fromEntries(rest));
}

/**
 * Compares rules by their text, which does not show what a new rule rejects. Stored objects may stay as they
 * are, because the API server does not run a rule on a value that an update does not change.
 */
function compareRules(before: Schema, after: Schema, report: Report): void {
  const known = new Set(before['x-kubernetes-validations']?.map(({ rule }) => normalized(rule)));
  for (const rule of after['x-kubernetes-validations'] ?? []) {
    if (known.has(normalized(rule.rule))) continue;
    report(
      'rule-added',
      `the rule ${normalized(rule.rule)} is new; values that break it are rejected, except unchanged stored values`,
      'let the rule pass for every value that was legal, or check this in a new version of the API',
      rule[originKey],
    );
  }
}

function normalized(rule: string): string {
  return rule.replaceAll(/\s+/g, ' ').trim();
}
