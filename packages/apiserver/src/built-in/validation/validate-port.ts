import type { IntOrString } from 'ots-kubernetes';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { portName, portNumber } from './port-rules.ts';

/** Validates a port number or name. */
export function validatePort(port: IntOrString, field: string): FieldError[] {
  const messages = typeof port === 'number' ? portNumber(port) : portName(port);
  return messages.map((message) => invalid(field, port, message));
}
