import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Logger } from '../logging/logger.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { AdmissionContext } from './admission-context.ts';
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts';
import { BadReviewError } from './bad-review-error.ts';
import { refusal } from './refusal.ts';
import type { ReviewHandler } from './webhook-registry.ts';

const apiVersion = 'admission.k8s.io/v1';

export interface AdmissionHandlerOptions {
  kind: Kind;
  path: string;
  logger: Logger;
  metrics: ManagerMetrics | undefined;
  /** Answers the request, or throws to refuse it. */
  admit: (request: AdmissionRequest, context: AdmissionContext) => Promise<AdmissionResponse>;
}

/** Wraps a decision into AdmissionReviews: always answers, and always with the uid of the request. */
export function admissionHandler({
  kind,
  path,
  logger,
  metrics,
  admit,
}: AdmissionHandlerOptions): ReviewHandler {
  return async (review) => {
    const request = requestOf(review);
    const { uid, operation, namespace, name } = request;
    const context: AdmissionContext = {
      operation,
      user: request.userInfo,
      dryRun: request.dryRun ?? false,
      ...(request.subResource && { subresource: request.subResource }),
      logger: logger.child({ webhook: path, kind: kind.kind, namespace, name, requestId: uid }),
    };
    let response: AdmissionResponse;
    try {
      response = await admit(request, context);
    } catch (error) {
      response = refusal(error, request);
      if (response.status?.code === 500) {
        metrics?.webhookPanics.inc();
        context.logger.error({ err: error }, 'the webhook failed; the request is refused');
      }
    }
    return { apiVersion, kind: 'AdmissionReview', response: { uid, ...response } };
  };
}

/**
 * The object of the request, or the one that it replaces or deletes.
 * @throws {BadReviewError} when it is missing or of another kind: the webhook configuration has wrong rules.
 */
export function objectOf<T extends KubernetesObject>(
  request: AdmissionRequest,
  field: 'object' | 'oldObject',
  kind: Kind<T>,
): T {
  const object = request[field];
  if (object?.kind === kind.kind && object.apiVersion === kind.apiVersion) return object as T;
  const found = object ? `${object.apiVersion} ${object.kind}` : 'nothing';
  throw new BadReviewError(400, `expected ${kind.apiVersion} ${kind.kind} as ${field}, got ${found}`);
}

function requestOf(review: unknown): AdmissionRequest {
  const { kind, apiVersion: version, request } = (review ?? {}) as Record<string, unknown>;
  if (kind !== 'AdmissionReview' || version !== apiVersion) {
    throw new BadReviewError(400, `expected an AdmissionReview of ${apiVersion}`);
  }
  const { uid, operation } = (request ?? {}) as Partial<AdmissionRequest>;
  if (typeof uid !== 'string' || uid === '' || typeof operation !== 'string') {
    throw new BadReviewError(400, 'the AdmissionReview has no request with a uid and an operation');
  }
  return request as AdmissionRequest;
}
