import type { OwnMachinery } from '../../registry/machinery.ts';
import { nameOf } from '../../registry/request-identity.ts';
import { resourceName } from '../../registry/resource.ts';
import { forbidden } from '../../status/errors.ts';
import type { ServiceEndpoints } from '../../webhooks/service-endpoints.ts';
import { MatchConditions } from '../match-conditions.ts';
import type { VersionedRequest } from '../versioned-request.ts';
import type { ConfiguredWebhook } from './configured-webhooks.ts';

/** What webhooks need of the server. */
export interface WebhookContext extends OwnMachinery {
  readonly services: ServiceEndpoints;
}

/**
 * Decides whether a webhook sees a request that its rules match.
 *
 * @param convert converts the request to the version that the rules ask for; not called for a webhook without conditions
 * @throws {StatusError} 403 when a match condition fails
 */
export async function meetsConditions(
  webhook: ConfiguredWebhook,
  convert: () => Promise<VersionedRequest>,
  { authorizer }: WebhookContext,
): Promise<boolean> {
  const conditions = conditionsOf(webhook);
  if (!conditions) return true;
  const request = await convert();
  const result = conditions.match({ ...request, authorizer });
  if ('matches' in result) return result.matches;
  const { target } = request.attributes;
  throw forbidden(resourceName(target.resource), nameOf(request.attributes), result.error);
}

const compiled = new WeakMap<ConfiguredWebhook, MatchConditions>();

/** The conditions of a webhook, compiled once for each version of its configuration. */
function conditionsOf(webhook: ConfiguredWebhook): MatchConditions | undefined {
  const { matchConditions = [], failurePolicy } = webhook;
  if (matchConditions.length === 0) return undefined;
  let conditions = compiled.get(webhook);
  if (!conditions) compiled.set(webhook, (conditions = new MatchConditions(matchConditions, failurePolicy)));
  return conditions;
}
