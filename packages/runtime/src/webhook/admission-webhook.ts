import { isApiError } from '../errors/api-error.ts';
import { runInContext } from '../context/work-context.ts';
import type { Logger } from '../logging/logger.ts';
import { isConnectionError } from '../errors/connection-error.ts';
import type { AdmissionContext } from './admission-context.ts';
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts';
import { BadReviewError } from './read-review.ts';
import { lateRefusal, refusal } from './refusal.ts';
import type { ReviewCall, ReviewHandler } from './webhook-registry.ts';

const versions: readonly unknown[] = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** Accepts the request by returning a response, or refuses it by throwing. */
export type Admit = (
  request: AdmissionRequest,
  context: AdmissionContext,
) => Promise<AdmissionResponse> | AdmissionResponse;

/** A webhook that decides. */
export interface AdmissionWebhook {
  path: string;
  logger: Logger;
  /** The class of the handler, for errors; undefined if it has none. */
  author: string | undefined;
  admit: Admit;
}

/** Wraps a decision in AdmissionReviews. It always responds, in the version of the request and with its uid. */
export function admissionWebhook(webhook: AdmissionWebhook): ReviewHandler {
  const { path, logger } = webhook;
  return async (review, call) => {
    const { apiVersion, request } = reviewOf(review);
    const warnings: string[] = [];
    const context = contextOf(path, request, call.signal, logger, warnings);
    const decision = await decide(webhook, request, context, call);
    warnings.push(...(decision.warnings ?? []));
    const response = { uid: request.uid, ...decision, ...(warnings.length > 0 && { warnings }) };
    return { apiVersion, kind: 'AdmissionReview', response };
  };
}

async function decide(
  { admit, author }: AdmissionWebhook,
  request: AdmissionRequest,
  context: AdmissionContext,
  { signal, observer }: ReviewCall,
): Promise<AdmissionResponse> {
  const onStrayRejection = (error: unknown): void => {
    observer?.panicked('admission');
    context.logger.error({ err: error }, 'a promise that the webhook did not await was rejected');
  };
  try {
    // Client requests of the handler end with it, even if it does not pass on the signal.
    return await runInContext({ signal, author, onStrayRejection }, async () => admit(request, context));
  } catch (error) {
    if (signal.aborted) {
      context.logger.warn({ err: error }, 'webhook too slow; the API server has given up on it');
      return lateRefusal();
    }
    const response = refusal(error, request, author);
    if (response.status?.code === 500) {
      // A failing API server is not a bug in the handler, and no reason to alert its authors.
      if (!isApiError(error) && !isConnectionError(error)) observer?.panicked('admission');
      context.logger.error({ err: error }, 'webhook failed; request refused');
    }
    return response;
  }
}

function contextOf(
  path: string,
  request: AdmissionRequest,
  signal: AbortSignal,
  logger: Logger,
  warnings: string[],
): AdmissionContext {
  const { uid, operation, namespace, name, subResource, kind } = request;
  return {
    operation,
    user: request.userInfo,
    dryRun: request.dryRun ?? false,
    ...(subResource && { subresource: subResource }),
    request,
    signal,
    logger: logger.child({ webhook: path, kind: kind.kind, namespace, name, requestId: uid }),
    warn: (message) => void warnings.push(message),
  };
}

function reviewOf(review: unknown): { apiVersion: unknown; request: AdmissionRequest } {
  const { kind, apiVersion, request } = (review ?? {}) as Record<string, unknown>;
  if (kind !== 'AdmissionReview' || !versions.includes(apiVersion)) {
    throw new BadReviewError(400, `expected an AdmissionReview of ${versions.join(' or ')}`);
  }
  const { uid, operation, kind: asked } = (request ?? {}) as Partial<AdmissionRequest>;
  if (
    typeof uid !== 'string' ||
    uid === '' ||
    typeof operation !== 'string' ||
    typeof asked?.kind !== 'string'
  ) {
    throw new BadReviewError(400, 'the AdmissionReview has no request with a uid, a kind and an operation');
  }
  return { apiVersion, request: request as AdmissionRequest };
}
