import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import { nameOf } from '../../registry/request-identity.ts';
import { resourceName } from '../../registry/resource.ts';
import { forbidden } from '../../status/errors.ts';
import type { ServiceEndpoints } from '../../webhooks/service-endpoints.ts';
import { MatchConditions } from '../match-conditions.ts';
import { matchResources } from '../match-resources.ts';
import { type VersionedRequest, versionedRequest } from '../versioned-request.ts';
import type { ConfiguredWebhook } from './configured-webhooks.ts';

/** What webhooks need of the server. */
export interface WebhookContext extends OwnMachinery {
  readonly services: ServiceEndpoints;
}

/**
 * Decides whether a webhook sees a request.
 *
 * @returns the request in the version that the webhook asks for; undefined when it does not see the request
 * @throws {StatusError} 404 for a missing namespace, 403 when a match condition fails
 */
export async function invocationOf(
  webhook: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  { registry, authorizer }: WebhookContext,
): Promise<VersionedRequest | undefined> {
  const resource = matchResources(webhook, attributes, registry);
  if (!resource) return undefined;
  const request = await versionedRequest(attributes, resource);
  const conditions = conditionsOf(webhook);
  const result = conditions?.match({ ...request, authorizer }) ?? { matches: true };
  if ('error' in result)
    throw forbidden(resourceName(attributes.target.resource), nameOf(attributes), result.error);
  return result.matches ? request : undefined;
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
