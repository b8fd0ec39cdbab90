import { RuntimeError } from '../errors/runtime-error.ts';

/** What the server says about the cause of a failure, field by field (`Status.details` of Kubernetes). */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: { reason?: string; message?: string; field?: string }[];
  retryAfterSeconds?: number;
}

/** The part of a Kubernetes `Status` that describes a failure. */
export interface FailureStatus {
  code: number;
  reason: string;
  message: string;
  details?: StatusDetails;
}

const brand = Symbol.for('ots-runtime.ApiError');

/**
 * The API server refused a request. Test which refusal it is with `isNotFound`, `isConflict` and their like, which
 * also work across two copies of this package.
 */
export class ApiError extends RuntimeError {
  readonly code = 'API_ERROR';
  /** The HTTP status. */
  readonly status: number;
  /** The machine-readable reason, such as `NotFound`. */
  readonly reason: string;
  readonly details?: StatusDetails;
  /** How long the server asks to wait before the request is sent again, in milliseconds. */
  readonly retryAfter?: number;
  readonly [brand] = true;

  constructor(status: FailureStatus, retryAfter?: number) {
    super(status.message, hintFor(status));
    this.status = status.code;
    this.reason = status.reason;
    if (status.details) this.details = status.details;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}

/** True for an `ApiError` of any copy of this package. */
export function isApiError(error: unknown): error is ApiError {
  return typeof error === 'object' && error !== null && (error as { [brand]?: unknown })[brand] === true;
}

function hasReason(error: unknown, ...reasons: string[]): error is ApiError {
  return isApiError(error) && reasons.includes(error.reason);
}

/** The object, or the resource itself, does not exist. */
export const isNotFound = (error: unknown): error is ApiError => hasReason(error, 'NotFound');
/** An object of this name exists already. */
export const isAlreadyExists = (error: unknown): error is ApiError => hasReason(error, 'AlreadyExists');
/** The object was changed since it was read, or a precondition does not hold. */
export const isConflict = (error: unknown): error is ApiError => hasReason(error, 'Conflict');
/** The object breaks its schema or a validation rule. */
export const isInvalid = (error: unknown): error is ApiError => hasReason(error, 'Invalid');
/** Access control or an admission webhook refused. */
export const isForbidden = (error: unknown): error is ApiError => hasReason(error, 'Forbidden');
/** The resource version or continue token is too old to serve. */
export const isExpired = (error: unknown): error is ApiError =>
  hasReason(error, 'Expired', 'Gone') || (isApiError(error) && error.status === 410);
/** The server asks to slow down. */
export const isTooManyRequests = (error: unknown): error is ApiError => hasReason(error, 'TooManyRequests');

function hintFor({ code, reason }: FailureStatus): string {
  switch (reason) {
    case 'NotFound':
      return 'Check the name and the namespace; for a custom resource, that its CRD is installed.';
    case 'AlreadyExists':
      return 'Update or patch the existing object.';
    case 'Conflict':
      return 'Read the object again, apply the change to what was read, and retry.';
    case 'Invalid':
    case 'BadRequest':
      return 'Correct the fields that the message names.';
    case 'Unauthorized':
      return 'Check the credentials of the kubeconfig or of the service account.';
    case 'Forbidden':
      return 'Grant the verb on the resource in an RBAC role; for a denial by a webhook, see its message.';
    case 'Expired':
    case 'Gone':
      return 'List again from the start.';
    default:
      return code >= 500 || code === 429 ? 'Retry later.' : 'See the message of the server.';
  }
}
