import { RuntimeError } from './runtime-error.ts';
import { type ConnectionError, isConnectionError } from './connection-error.ts';
import { missingRule } from './missing-rule.ts';
import { webhookHint } from 'ots-apimachinery/webhooks/webhook-hint';

/** What the server says about the cause of a failure, field by field (`Status.details` of Kubernetes). */
export interface StatusDetails {
  /** Of the object. */
  name?: string;
  /** Of the kind; empty for the core group. */
  group?: string;
  /** Of the object, or the plural of it. */
  kind?: string;
  /** Of the object. */
  uid?: string;
  /** What is wrong, field by field; of `isInvalid`. */
  causes?: { reason?: string; message?: string; field?: string }[];
  /** How long the server asks to wait, in seconds. */
  retryAfterSeconds?: number;
}

/** The part of a Kubernetes `Status` that describes a failure. */
export interface FailureStatus {
  /** The HTTP status. */
  code: number;
  /** The machine-readable reason, such as `NotFound`. */
  reason: string;
  /** For people. */
  message: string;
  /** What the failure is about. */
  details?: StatusDetails;
  /** True when the response contained no Status; the other fields then come from its HTTP status. */
  foreign?: boolean;
}

const brand = Symbol.for('ots-runtime.ApiError');
/** HTTP status: bad request, method not allowed, not acceptable, too large, unsupported media type, invalid. */
const mistakes = new Set([400, 405, 406, 413, 415, 422]);

/**
 * The API server refused a request. Test which refusal it is with `isNotFound`, `isConflict` and their like, which
 * also work across two copies of this package.
 */
export class ApiError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'API_ERROR';
  /** The HTTP status. */
  readonly status: number;
  /** The machine-readable reason, such as `NotFound`. */
  readonly reason: string;
  /** What the failure is about, when the server says it. */
  readonly details?: StatusDetails;
  /** How long the server asks to wait before the request is sent again, in milliseconds. */
  readonly retryAfter?: number;
  /**
   * True when the response did not come from the API: the server does not know the path because a CRD is not installed,
   * or something between client and server responded instead.
   */
  readonly foreign: boolean;
  /**
   * Known to other copies of this package by it.
   * @internal
   */
  readonly [brand] = true;

  /** @param retryAfter in milliseconds. */
  constructor(status: FailureStatus, retryAfter?: number) {
    super(status.message, webhookHint(status.message) ?? hintFor(status));
    this.status = status.code;
    this.reason = status.reason;
    this.foreign = status.foreign ?? false;
    if (status.details) this.details = status.details;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }

  /**
   * A malformed request is a bug in the code that sends it; other refusals are not.
   * @internal
   */
  override get loggedStacks(): 'own' | 'none' {
    return mistakes.has(this.status) ? 'own' : 'none';
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

/**
 * The server does not have the kind: its CRD is not installed, or not in this version. False if only one object of the kind
 * is missing.
 */
export const isKindMissing = (error: unknown): error is ApiError => isNotFound(error) && error.foreign;
/** The server does not know who is asking: the credentials are missing, wrong or expired. */
export const isUnauthorized = (error: unknown): error is ApiError => hasReason(error, 'Unauthorized');
/** The request itself is malformed. */
export const isBadRequest = (error: unknown): error is ApiError => hasReason(error, 'BadRequest');
/** The kind has no such verb or subresource. */
export const isMethodNotSupported = (error: unknown): error is ApiError =>
  hasReason(error, 'MethodNotAllowed');
/** The object, or a list to be deleted, is too large for the server. */
export const isTooLarge = (error: unknown): error is ApiError => hasReason(error, 'RequestEntityTooLarge');
/** The server failed. */
export const isInternalError = (error: unknown): error is ApiError => hasReason(error, 'InternalError');
/** The server, or an extension of it that serves the kind, is not ready. */
export const isServiceUnavailable = (error: unknown): error is ApiError =>
  hasReason(error, 'ServiceUnavailable');
/** A response did not arrive in time, in the server or on the way to it. The server may still have performed a write. */
export const isTimeout = (error: unknown): error is ApiError | ConnectionError =>
  hasReason(error, 'Timeout', 'ServerTimeout') ||
  (isConnectionError(error) && error.code === 'REQUEST_TIMEOUT');

function hintFor({ code, reason, details, foreign, message }: FailureStatus): string {
  switch (reason) {
    case 'NotFound':
      return foreign
        ? 'Install the CRD of the kind, with npm run install:crds for one of this project, or check the apiVersion.'
        : 'Check the name and the namespace: the object does not exist.';
    case 'AlreadyExists':
      return 'Update or patch the existing object.';
    case 'Conflict':
      if (details?.causes?.some((cause) => cause.reason === 'FieldManagerConflict'))
        return 'Leave the fields to their owner, or take them over with force: true.';
      return 'Read the object again, apply the change to it and retry.';
    case 'Invalid':
      return 'Correct the fields that the message names, in the object or in the webhook that sets them.';
    case 'BadRequest':
      return 'Correct the fields that the message names.';
    case 'Unauthorized':
      return 'Check the credentials of the kubeconfig or of the service account.';
    case 'Forbidden':
      return (
        rbacHint(message) ??
        'See the message of the server: a webhook, a quota or a policy denied the request.'
      );
    case 'Expired':
    case 'Gone':
      return 'List again from the start.';
    default:
      return code >= 500 || code === 429 ? 'Retry later.' : 'See the message of the server.';
  }
}

/** The tag that grants what RBAC denied; undefined when something else did. */
function rbacHint(message: string): string | undefined {
  const rule = missingRule(message);
  return rule && `Add ${rule}, then run npm run manifests and apply the role.`;
}
