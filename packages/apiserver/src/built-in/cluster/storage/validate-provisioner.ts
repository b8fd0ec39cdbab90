import { qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, invalid, required, tooLong } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';

const maxParameters = 512;
const maxParametersBytes = 256 * 1024;

/** Validates the name of a provisioner. */
export function validateProvisioner(name: string, field: string): FieldError[] {
  return name === '' ? [required(field)] : errorsOfRule(field, name.toLowerCase(), qualifiedName);
}

/** Validates the parameters of a storage class. */
export function validateParameters(parameters: Record<string, string> = {}): FieldError[] {
  const field = 'parameters';
  const entries = Object.entries(parameters);
  if (entries.length > maxParameters) return [tooLong(field, maxParameters)];
  const size = entries.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return [
    ...(Object.hasOwn(parameters, '') ? [invalid(field, '', 'field can not be empty.')] : []),
    ...(size > maxParametersBytes ? [tooLong(field, maxParametersBytes)] : []),
  ];
}
