import type { IntOrString } from 'ots-kubernetes';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { validateNonNegative } from '../validation/validate-number.ts';

const percentage = /^[0-9]+%$/;

/** Validates a number of pods, or a percentage, which may exceed 100. */
export function validateIntOrPercent(value: IntOrString, field: string): FieldError[] {
  if (typeof value === 'number') return validateNonNegative(field, value);
  if (percentage.test(value)) return [];
  const detail =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  return [invalid(field, value, detail)];
}

/** {@link validateIntOrPercent} for percentages up to 100. */
export function validateIntOrShare(value: IntOrString, field: string): FieldError[] {
  const errors = validateIntOrPercent(value, field);
  if (typeof value === 'number' || errors.length > 0 || Number.parseInt(value, 10) <= 100) return errors;
  return [invalid(field, value, 'must not be greater than 100%')];
}

/** Whether a number or percentage is zero. So is an invalid text, unless it is a number in quotes. */
export function isNothing(value: IntOrString): boolean {
  if (typeof value === 'number') return value === 0;
  if (percentage.test(value)) return Number.parseInt(value, 10) === 0;
  return !/^[+-]?\d+$/.test(value) || Number(value) === 0;
}

/** A rolling update in Go's internal notation. */
export function showRollingUpdate(
  pace: { maxUnavailable?: IntOrString; maxSurge?: IntOrString } | undefined,
): unknown {
  return pace ? { MaxUnavailable: pace.maxUnavailable ?? 0, MaxSurge: pace.maxSurge ?? 0 } : null;
}
