import { invalidObject } from '../status/errors.ts';
import { type FieldError, notSupported } from '../status/field-error.ts';

/** @param values the values of `dryRun`: empty or `All` */
export function checkDryRun(values: readonly unknown[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])];
}

export function isDryRun(values: readonly unknown[]): boolean {
  return values.includes('All');
}

/** @param kind the kind of the options, such as `CreateOptions` */
export function invalidOptions(kind: string, errors: readonly FieldError[]): Error {
  return invalidObject({ group: 'meta.k8s.io', name: kind }, '', errors);
}
