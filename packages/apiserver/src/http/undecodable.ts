import { jsonType } from '../decoding/mismatches.ts';
import { type Resource, kindName } from '../registry/resource.ts';
import { badRequest } from '../status/errors.ts';

/** What a refusal starts with when the JSON of a body cannot be read, or does not state a type. */
export const jsonError = "couldn't get version/kind; json parse error:";

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

/** Go's message for a JSON value where an object is expected. */
export function notAnObject(value: unknown): string {
  return `json: cannot unmarshal ${jsonType(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}

/** The beginning of a body: a JSON object as it is, anything else in hexadecimal. */
function excerpt(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, 30);
  const text = start.toString('utf8');
  const shown = /^[ \t\r\n]*\{/.test(text) ? text : start.toString('hex');
  return bytes.length > 30 ? `${shown} ...` : shown;
}
