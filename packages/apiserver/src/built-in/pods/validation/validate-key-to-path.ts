import type { KeyToPath } from 'ots-kubernetes/core/v1';
import { type FieldError, required } from '../../../status/field-error.ts';
import { validateFileMode, validateFilePath } from './path-rules.ts';

/** Validates the mapping of ConfigMap or Secret keys to files. */
export function validateKeyToPath({ key, path: file, mode }: KeyToPath, path: string): FieldError[] {
  return [
    ...(key ? [] : [required(`${path}.key`)]),
    ...(file === '' ? [required(`${path}.path`)] : []),
    ...validateFilePath(`${path}.path`, file),
    ...validateFileMode(`${path}.mode`, mode),
  ];
}
