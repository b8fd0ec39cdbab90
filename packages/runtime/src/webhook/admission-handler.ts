import type { JsonPatchOperation } from '../objects/patches.ts';
import type { AdmissionContext } from './admission-context.ts';
import type { AdmissionRequest } from './admission-review.ts';

/** What a handler says of a request that it lets pass. */
export interface AdmissionDecision {
  /** Changes to the object; for a MutatingWebhookConfiguration only. */
  patch?: readonly JsonPatchOperation[] | undefined;
  /** Shown to whoever sends the object. */
  warnings?: readonly string[] | undefined;
  /** Added to the audit event of the request, under the name of the webhook. */
  auditAnnotations?: Record<string, string> | undefined;
}

/**
 * Decides on admission requests of any kinds and operations, CONNECT among them, as they come. What is about one kind
 * is better said in a `Defaulter` or `Validator`.
 */
export interface AdmissionHandler {
  /** Accepts the request by returning, and refuses it by throwing `InvalidError` or `DeniedError`. */
  handle(
    request: AdmissionRequest,
    context: AdmissionContext,
  ): AdmissionDecision | void | Promise<AdmissionDecision | void>;
}
