import type { JsonPatchOperation } from '../objects/patches.ts';
import type { AdmissionContext } from './admission-context.ts';
import type { AdmissionRequest } from './admission-review.ts';

/** What a handler returns for a request that it accepts. */
export interface AdmissionDecision {
  /** Changes to the object; for a MutatingWebhookConfiguration only. */
  patch?: readonly JsonPatchOperation[] | undefined;
  /** Shown to the sender of the object. */
  warnings?: readonly string[] | undefined;
  /** Added to the audit event of the request, under the name of the webhook. */
  auditAnnotations?: Record<string, string> | undefined;
}

/**
 * Decides on raw admission requests of any kind and operation, including CONNECT. For a single kind, prefer a
 * `Defaulter` or `Validator`.
 */
export interface AdmissionHandler {
  /** Accepts the request by returning, and refuses it by throwing `InvalidError` or `DeniedError`. */
  handle(
    request: AdmissionRequest,
    context: AdmissionContext,
  ): AdmissionDecision | void | Promise<AdmissionDecision | void>;
}
