import type { FieldError } from './field-error.ts';
import { type StatusDetails, StatusError } from './status-error.ts';

/** A resource or kind with its group, as messages name it. */
export interface Qualified {
  group: string;
  /** `configmaps` or `ConfigMap`, depending on the message. */
  name: string;
}

/** `deployments.apps`, or `configmaps` for the core group. */
function qualify({ group, name }: Qualified): string {
  return group === '' ? name : `${name}.${group}`;
}

function detailsOf(resource: Qualified, name: string): StatusDetails {
  return {
    ...(name !== '' && { name }),
    ...(resource.group !== '' && { group: resource.group }),
    ...(resource.name !== '' && { kind: resource.name }),
  };
}

export function notFound(resource: Qualified, name: string): StatusError {
  return new StatusError(
    404,
    'NotFound',
    `${qualify(resource)} "${name}" not found`,
    detailsOf(resource, name),
  );
}

/** @param isTerminating whether the existing object is being deleted */
export function alreadyExists(resource: Qualified, name: string, isTerminating: boolean): StatusError {
  const message = `${isTerminating ? 'object is being deleted: ' : ''}${qualify(resource)} "${name}" already exists`;
  return new StatusError(409, 'AlreadyExists', message, detailsOf(resource, name));
}

export function conflict(resource: Qualified, name: string, detail: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualify(resource)} "${name}": ${detail}`;
  return new StatusError(409, 'Conflict', message, detailsOf(resource, name));
}

/** Refuses an update that is based on an outdated version of the object. */
export function modified(resource: Qualified, name: string): StatusError {
  return conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

export function forbidden(resource: Qualified, name: string, detail: string): StatusError {
  const subject = name === '' ? qualify(resource) : `${qualify(resource)} "${name}"`;
  return new StatusError(403, 'Forbidden', `${subject} is forbidden: ${detail}`, detailsOf(resource, name));
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

/** An object, or options, with invalid fields: lists every error as a cause. */
export function invalidObject(kind: Qualified, name: string, errors: readonly FieldError[]): StatusError {
  const lines = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  const list = lines.length === 1 ? (lines[0] ?? '') : `[${lines.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${qualify(kind)} "${name}" is invalid: ${list}`, {
    ...detailsOf(kind, name),
    causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
  });
}

/** No served resource has this path or verb. */
export function resourceNotFound(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError(405, 'MethodNotAllowed', message, {});
}

/** A verb that custom resources do not support. */
export function verbNotSupported(resource: Qualified, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind "${qualify(resource)}"`;
  return new StatusError(405, 'MethodNotAllowed', message, detailsOf(resource, ''));
}

/** This server does not read the body's media type. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new StatusError(415, 'UnsupportedMediaType', message);
}

export function requestTooLarge(detail: string): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${detail}`);
}

/** The history before a resource version is gone: the client must relist. */
export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

/**
 * The objects of the server were replaced, as by a return to a snapshot, so the client has missed changes. It need not wait before it lists
 * again: the server is not at its limits. No real server does that.
 */
export function replaced(message: string): StatusError {
  return new StatusError(410, 'Expired', message, { retryAfterSeconds: 0 });
}

/** The snapshot behind a list is gone; the new token continues with the current state. */
export function continueExpired(token: string): StatusError {
  const error = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  error.status.metadata.continue = token;
  return error;
}

export function internalError(message: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {
    causes: [{ message }],
  });
}
