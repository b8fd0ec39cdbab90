import type { IntOrString } from 'ots-kubernetes';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { portName, portNumber } from './port-rules.ts';

/** Checks a port: its number, or its name. */
export function validatePort(port: IntOrString, field: string): FieldError[] {
  const messages = typeof port === 'number' ? portNumber(port) : portName(port);
  return messages.map((message) => invalid(field, port, message));
}
