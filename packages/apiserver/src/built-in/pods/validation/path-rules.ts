import { type FieldError, invalid } from '../../../status/field-error.ts';

/** Checks that no element of a path is `..`. */
export function validateNoBacksteps(field: string, path: string): FieldError[] {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}

/** Validates a relative path. */
export function validateRelativePath(field: string, path: string): FieldError[] {
  return [
    ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
    ...validateNoBacksteps(field, path),
  ];
}

/** Validates the path of a file in a volume: names that start with two dots are reserved for the kubelet. */
export function validateFilePath(field: string, path: string): FieldError[] {
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  return [
    ...validateRelativePath(field, path),
    ...(isReserved ? [invalid(field, path, "must not start with '..'")] : []),
  ];
}

/** Validates the mode of a file. */
export function validateFileMode(field: string, mode: number | undefined): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}
