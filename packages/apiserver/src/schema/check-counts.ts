import { fieldPath, invalid, tooMany } from '../status/field-error.ts';
import type { Schema } from './json-schema.ts';
import type { Run } from './run.ts';

/** Checks `minItems` and `maxItems`. */
export function checkItemCount(run: Run, count: number, { minItems, maxItems }: Schema, path: string): void {
  if (minItems !== undefined && count < minItems) tooFew(run, count, `${minItems} items`, path);
  if (maxItems !== undefined && count > maxItems)
    run.errors.push(tooMany(fieldPath(run.base, path), count, maxItems));
}

/** Checks `minProperties` and `maxProperties`. */
export function checkPropertyCount(
  run: Run,
  count: number,
  { minProperties, maxProperties }: Schema,
  path: string,
): void {
  if (minProperties !== undefined && count < minProperties)
    tooFew(run, count, `${minProperties} properties`, path);
  if (maxProperties !== undefined && count > maxProperties)
    run.errors.push(tooMany(fieldPath(run.base, path), count, maxProperties));
}

function tooFew(run: Run, count: number, wanted: string, path: string): void {
  run.errors.push(
    invalid(fieldPath(run.base, path), count, `${path} in body should have at least ${wanted}`),
  );
}
