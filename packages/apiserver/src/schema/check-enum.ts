import { jsonEqual } from '../json/json-equal.ts';
import { sortKeys } from '../json/sort-keys.ts';
import { fieldPath, notSupported } from '../status/field-error.ts';
import type { Schema } from './json-schema.ts';
import type { Run } from './run.ts';

/** Checks that a value is one of the choices in `enum`. */
export function checkEnum(run: Run, value: unknown, schema: Schema, path: string): void {
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
