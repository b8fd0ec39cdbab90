import { type Resource, kindName } from '../registry/resource.ts';
import { badRequest } from '../status/errors.ts';

/**
 * Refuses a body whose kind cannot be determined.
 *
 * @param reason the problem
 */
export function unrecognized(resource: Resource, reason: string, bytes: Buffer): Error {
  return badRequest(
    `the object provided is unrecognized (must be of type ${resource.kind}): ${reason} (${excerpt(bytes)})`,
  );
}

/** Refuses a body that states its kind but does not contain an object of it. */
export function cannotHandle(resource: Resource, message: string): Error {
  return badRequest(
    `${resource.kind} in version "${resource.version}" cannot be handled as a ${kindName(resource).name}: ${message}`,
  );
}

/** The beginning of a body: a JSON object as it is, anything else in hexadecimal. */
function excerpt(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, 30);
  const text = start.toString('utf8');
  const shown = /^[ \t\r\n]*\{/.test(text) ? text : start.toString('hex');
  return bytes.length > 30 ? `${shown} ...` : shown;
}
