import { type StatusDetails, isApiError } from '../errors/api-error.ts';
import { errorMessage } from '../errors/error-message.ts';
import { RuntimeError } from '../errors/runtime-error.ts';
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts';
import { BadReviewError } from './read-review.ts';

/**
 * Throw it from a webhook handler to refuse a request for a reason other than its fields: the response is 403
 * Forbidden.
 */
export class DeniedError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'DENIED';

  /** @param message shown to the sender of the object. */
  constructor(message: string) {
    super(message, 'See the message of the webhook.');
  }
}

/** One field of an object that is wrong. */
export interface FieldError {
  /** The path of the field, such as `spec.ports[0].name`. */
  field: string;
  /** What is wrong with it, for people. */
  message: string;
  /** What is wrong with it; `FieldValueInvalid` by default. */
  reason?:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueForbidden'
    | 'FieldValueDuplicate'
    | 'FieldValueNotFound'
    | 'FieldValueNotSupported'
    | undefined;
}

/**
 * Throw it from a webhook handler to refuse an object because of its fields: the response is 422 Invalid with one cause
 * per field.
 */
export class InvalidError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'INVALID';
  /** Every field that is wrong. */
  readonly errors: readonly FieldError[];

  constructor(errors: FieldError | readonly FieldError[]) {
    const list = Array.isArray(errors) ? (errors as readonly FieldError[]) : [errors as FieldError];
    super(
      list.map(({ field, message }) => `${field}: ${message}`).join('; '),
      'Correct the fields that are named.',
    );
    this.errors = list;
  }
}

/**
 * The response to a request whose handler threw. An unexpected error also refuses the request, with 500.
 * @param author the class of the handler, if it has one.
 */
export function refusal(
  error: unknown,
  request: AdmissionRequest,
  author: string | undefined,
): AdmissionResponse {
  if (error instanceof InvalidError) return invalid(error, request);
  if (error instanceof DeniedError) return refused(403, 'Forbidden', error.message);
  if (error instanceof BadReviewError) return refused(400, 'BadRequest', error.message);
  if (isApiError(error)) return refused(error.status, error.reason, error.message, error.details);
  const where = author === undefined ? '' : ` in ${author}`;
  return refused(500, 'InternalError', `the webhook failed${where}: ${errorMessage(error)}`);
}

/** The response after the timeout, in case it is still read. */
export function lateRefusal(): AdmissionResponse {
  return refused(504, 'Timeout', 'the webhook took too long');
}

function invalid(error: InvalidError, { kind, name }: AdmissionRequest): AdmissionResponse {
  const qualified = kind.group ? `${kind.kind}.${kind.group}` : kind.kind;
  return refused(422, 'Invalid', `${qualified} ${JSON.stringify(name ?? '')} is invalid: ${error.message}`, {
    ...(name !== undefined && { name }),
    group: kind.group,
    kind: kind.kind,
    causes: error.errors.map(({ field, message, reason = 'FieldValueInvalid' }) => ({
      reason,
      message,
      field,
    })),
  });
}

function refused(code: number, reason: string, message: string, details?: StatusDetails): AdmissionResponse {
  return { allowed: false, status: { code, reason, message, ...(details && { details }) } };
}
