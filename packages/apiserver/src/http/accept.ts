import { StatusError } from '../status/status-error.ts';

const jsonTypes = new Set([
  'application/json',
  'application/*',
  '*/*',
  'application/vnd.kubernetes.protobuf',
]);

/**
 * Checks that a client takes JSON. One that prefers protobuf decodes an answer by its content type, so it takes JSON too.
 * Tables and partial metadata are not made: a client that offers nothing else is refused.
 *
 * @param accept the header
 * @throws {StatusError} 406
 */
export function checkAccept(accept: string): void {
  if (accept === '' || accept.split(',').some(takesJson)) return;
  const message = 'only the following media types are accepted: application/json';
  throw new StatusError(406, 'NotAcceptable', message);
}

function takesJson(clause: string): boolean {
  const [type = '', ...parameters] = clause.split(';').map((part) => part.trim().toLowerCase());
  return jsonTypes.has(type) && !parameters.some((parameter) => parameter.startsWith('as='));
}
