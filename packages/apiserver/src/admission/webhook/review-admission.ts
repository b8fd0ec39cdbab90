import { appendAll } from '../../json/append-all.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { VersionedRequest } from '../versioned-request.ts';
import { internalError } from '../../status/errors.ts';
import { StatusError, type Status } from '../../status/status-error.ts';
import { badRequest } from '../../status/errors.ts';
import { callWebhook } from '../../webhooks/call-webhook.ts';
import { WebhookCallError } from '../../webhooks/webhook-call-error.ts';
import { type WebhookAddress, addressOf } from '../../webhooks/client-config.ts';
import { type CallOrder, auditFailedOpen, auditResponse } from './audit-webhook.ts';
import { type AdmissionResponse, type Review, createReview, readResponse } from './admission-review.ts';
import { type DecodedReview, decodeReview } from './decode-review.ts';
import type { ConfiguredWebhook } from './configured-webhooks.ts';
import type { WebhookContext } from './meets-conditions.ts';

/**
 * Asks a webhook about a request. Its warnings reach the client in any case, and its audit annotations are recorded.
 *
 * @param phase that of the webhook
 * @param handle uses the response of a webhook that allows the request; what it throws counts as a failure of the webhook
 * @returns what `handle` returned; undefined when the webhook failed and its failure policy is `Ignore`
 * @throws {StatusError} when the webhook refuses the request, or fails and its failure policy is `Fail`
 */
export async function reviewAdmission<Result>(
  webhook: ConfiguredWebhook,
  invocation: VersionedRequest,
  { services, random }: WebhookContext,
  {
    phase,
    order,
    handle,
  }: {
    phase: 'mutation' | 'validating';
    order: CallOrder;
    handle: (response: AdmissionResponse) => Result;
  },
): Promise<Result | undefined> {
  const { attributes } = invocation;
  const signal = attributes.client?.signal;
  checkSideEffects(webhook, attributes);
  try {
    const review = createReview(webhook.admissionReviewVersions, invocation, random);
    const address = addressOf(webhook.clientConfig, services);
    const answer = await call(webhook, address, review, signal);
    const response = readResponse(answer, review, phase === 'mutation');
    auditResponse(attributes, webhook, response);
    appendAll(attributes.warnings, response.warnings);
    if (!response.allowed) throw denied(webhook.name, response.result);
    return handle(response);
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    if (webhook.failurePolicy !== 'Ignore' || signal?.aborted)
      throw internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`);
    auditFailedOpen(attributes, webhook, phase, order);
    return undefined;
  }
}

async function call(
  { timeoutSeconds = 10 }: ConfiguredWebhook,
  address: WebhookAddress,
  review: Review,
  signal: AbortSignal | undefined,
): Promise<DecodedReview> {
  try {
    const answer = await callWebhook(address, review, timeoutSeconds, signal);
    return decodeReview(answer, review.apiVersion);
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    throw new WebhookCallError(`failed to call webhook: ${error.message}`, { cause: error });
  }
}

function checkSideEffects({ name, sideEffects }: ConfiguredWebhook, { dryRun }: AdmissionAttributes): void {
  if (!dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return;
  throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
}

/** The refusal of a webhook, whose Status may lack what a refusal needs. */
function denied(name: string, result: Partial<Status> = {}): StatusError {
  const { code = 0, message = '', reason, details, metadata, status = '' } = result;
  const subject = `admission webhook ${JSON.stringify(name)} denied the request`;
  const because = message || reason || '';
  const text = because === '' ? `${subject} without explanation` : `${subject}: ${because}`;
  const error = new StatusError(code < 400 ? 400 : code, reason, text, details);
  if (metadata) error.status.metadata = metadata;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a webhook may state anything, and clients receive it
  if (status !== '' && status !== 'Success') error.status.status = status as Status['status'];
  return error;
}
