import type { IntOrString } from 'ots-kubernetes';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** The errors in a port number. */
export function portNumber(port: number): string[] {
  return port >= 1 && port <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];
}

/** The errors in a port name. */
export function portName(name: string): string[] {
  return [
    ...(Buffer.byteLength(name) > 15 ? ['must be no more than 15 characters'] : []),
    ...(/^[-a-z0-9]+$/.test(name)
      ? []
      : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(/^-|-$/.test(name) ? ['must not begin or end with a hyphen'] : []),
  ];
}

/** Validates a port number or name. */
export function validatePort(port: IntOrString, field: string): FieldError[] {
  const messages = typeof port === 'number' ? portNumber(port) : portName(port);
  return messages.map((message) => invalid(field, port, message));
}
