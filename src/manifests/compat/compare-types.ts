import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';
import type { Report } from './finding.ts';

const keepTypeHint = 'keep the type, or add a property of the new type beside it';

/**
 * Compares the types of values.
 * @returns whether the earlier values are still valid, so the rest of the schemas can be compared
 */
export function compareTypes(before: Schema, after: Schema, report: Report): boolean {
  if (acceptsAnything(after)) return true;
  if (before['x-kubernetes-int-or-string'] && !after['x-kubernetes-int-or-string']) {
    report(
      'int-or-string-narrowed',
      `it was an integer or a string, and is ${describeSchema(after)}; the other values are rejected`,
      'keep number | string',
    );
    return false;
  }
  if (acceptsAnything(before)) {
    report('type-changed', `it was anything, and is ${describeSchema(after)}`, keepTypeHint);
    return false;
  }
  if (accepts(before, after)) return true;
  report('type-changed', `it was ${describeSchema(before)}, and is ${describeSchema(after)}`, keepTypeHint);
  return false;
}

function acceptsAnything(schema: Schema): boolean {
  return schema.type === undefined && !schema['x-kubernetes-int-or-string'];
}

function accepts(before: Schema, after: Schema): boolean {
  if (after['x-kubernetes-int-or-string'])
    return (
      before['x-kubernetes-int-or-string'] === true || before.type === 'integer' || before.type === 'string'
    );
  return before.type === after.type || (before.type === 'integer' && after.type === 'number');
}
