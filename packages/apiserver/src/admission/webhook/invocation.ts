import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import type { ServiceEndpoints } from '../../webhooks/service-endpoints.ts';
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
  { registry }: WebhookContext,
): Promise<VersionedRequest | undefined> {
  const resource = matchResources(webhook, attributes, registry);
  if (!resource) return undefined;
  return versionedRequest(attributes, resource);
}
