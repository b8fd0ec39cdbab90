import type { VersionedRequest } from '../versioned-request.ts';
import { internalError } from '../../status/errors.ts';
import { StatusError, type Status } from '../../status/status-error.ts';
import { badRequest } from '../../status/errors.ts';
import { WebhookCallError, callWebhook } from '../../webhooks/call-webhook.ts';
import { addressOf } from '../../webhooks/client-config.ts';
import type { ServiceEndpoints } from '../../webhooks/service-endpoints.ts';
import { createReview, readResponse } from './admission-review.ts';
import type { ConfiguredWebhook } from './configured-webhooks.ts';

/**
 * Asks a webhook about a request. Its warnings reach the client in any case.
 *
 * @param handle uses the patch of a webhook that allows the request; what it throws counts as a failure of the webhook
 * @returns what `handle` returned; undefined when the webhook failed and its failure policy is `Ignore`
 * @throws {StatusError} when the webhook refuses the request, or fails and its failure policy is `Fail`
 */
export async function reviewAdmission<Result>(
  webhook: ConfiguredWebhook,
  invocation: VersionedRequest,
  services: ServiceEndpoints,
  { mutates, handle }: { mutates: boolean; handle: (patch: string) => Result },
): Promise<Result | undefined> {
  checkSideEffects(webhook, invocation);
  try {
    const review = createReview(webhook.admissionReviewVersions, invocation);
    const answer = await call(webhook, review, services);
    const { allowed, patch, result, warnings } = readResponse(answer, review, mutates);
    invocation.attributes.warnings.push(...warnings);
    if (!allowed) throw denied(webhook.name, result);
    return handle(patch);
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    if (webhook.failurePolicy === 'Ignore') return undefined;
    throw internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`);
  }
}

async function call(
  { clientConfig, timeoutSeconds = 10 }: ConfiguredWebhook,
  review: object,
  services: ServiceEndpoints,
): Promise<Record<string, unknown>> {
  try {
    return await callWebhook(addressOf(clientConfig, services), review, timeoutSeconds);
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    throw new WebhookCallError(`failed to call webhook: ${error.message}`, { cause: error });
  }
}

function checkSideEffects({ name, sideEffects }: ConfiguredWebhook, { attributes }: VersionedRequest): void {
  if (!attributes.dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return;
  throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
}

/** The refusal of a webhook, whose Status may lack what a refusal needs. */
function denied(name: string, result: Partial<Status> = {}): StatusError {
  const { code = 0, message = '', reason, details, metadata } = result;
  const subject = `admission webhook ${JSON.stringify(name)} denied the request`;
  const because = message || reason || '';
  const text = because === '' ? `${subject} without explanation` : `${subject}: ${because}`;
  const error = new StatusError(code < 400 ? 400 : code, reason, text, details);
  if (metadata) error.status.metadata = metadata;
  return error;
}
