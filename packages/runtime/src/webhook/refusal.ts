import type { StatusDetails } from '../errors/api-error.ts';
import { isApiError } from '../errors/api-error.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts';
import { BadReviewError } from './bad-review-error.ts';
import { DeniedError } from './denied-error.ts';
import { InvalidError } from './invalid-error.ts';

/** The answer to a request whose handler threw. An error that is no decision refuses the request too, with 500. */
export function refusal(error: unknown, request: AdmissionRequest): AdmissionResponse {
  if (error instanceof InvalidError) return invalid(error, request);
  if (error instanceof DeniedError) return refused(403, 'Forbidden', error.message);
  if (error instanceof BadReviewError) return refused(400, 'BadRequest', error.message);
  if (isApiError(error)) return refused(error.status, error.reason, error.message, error.details);
  return refused(500, 'InternalError', `the webhook failed: ${errorMessage(error)}`);
}

/** The answer that comes too late; whoever still reads it is told so. */
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
