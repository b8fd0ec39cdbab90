import { type FieldError, invalid } from '../../../status/field-error.ts';

/** Checks that a path does not climb: no element of it is `..`. */
export function validateNoBacksteps(field: string, path: string): FieldError[] {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}

/** Checks a path below some folder. */
export function validateRelativePath(field: string, path: string): FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...validateNoBacksteps(field, path),
  ];
}

/** Checks the path of a file in a volume: names that start with two dots are for the kubelet. */
export function validateFilePath(field: string, path: string): FieldError[] {
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  return [
    ...validateRelativePath(field, path),
    ...(isReserved ? [invalid(field, path, "must not start with '..'")] : []),
  ];
}

/** Checks the permissions of a file. */
export function validateFileMode(field: string, mode: number | undefined): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}
