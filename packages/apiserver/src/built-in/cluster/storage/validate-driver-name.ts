import { subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, required, tooLong } from '../../../status/field-error.ts';

const maxNameLength = 63;

/** Validates the name of a CSI driver. */
export function validateDriverName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  return [
    ...(Buffer.byteLength(name) > maxNameLength ? [tooLong(field, maxNameLength)] : []),
    ...subdomain(name.toLowerCase()).map((message) => invalid(field, name, message)),
  ];
}
