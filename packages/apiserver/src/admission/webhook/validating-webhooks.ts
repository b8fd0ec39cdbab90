import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { isAdmissionConfiguration } from '../../registry/request-identity.ts';
import type { Resource } from '../../registry/resource.ts';
import { internalError } from '../../status/errors.ts';
import { StatusError } from '../../status/status-error.ts';
import { matchResources } from '../match-resources.ts';
import { type VersionedRequest, versionedRequest } from '../versioned-request.ts';
import { type ConfiguredWebhook, ConfiguredWebhooks } from './configured-webhooks.ts';
import { type WebhookContext, meetsConditions } from './meets-conditions.ts';
import { reviewAdmission } from './review-admission.ts';

/** Calls the webhooks that may refuse objects, all at the same time. */
export class ValidatingAdmissionWebhook implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionWebhook';
  readonly #webhooks: ConfiguredWebhooks;
  readonly #context: WebhookContext;

  constructor(context: WebhookContext) {
    this.#context = context;
    this.#webhooks = new ConfiguredWebhooks(context.registry, 'validatingwebhookconfigurations');
  }

  get mayWait(): boolean {
    return this.#webhooks.all.length > 0;
  }

  handles(attributes: AdmissionAttributes): boolean {
    return this.mayWait && !isAdmissionConfiguration(attributes);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const reviews: { webhook: ConfiguredWebhook; invocation: VersionedRequest }[] = [];
    for (const webhook of this.#webhooks.all) {
      const resource = matchResources(webhook, attributes, this.#context.registry);
      if (!resource) continue;
      const invocation = await convert(attributes, resource);
      if (await meetsConditions(webhook, async () => invocation, this.#context))
        reviews.push({ webhook, invocation });
    }
    const results = await Promise.allSettled(
      reviews.map(({ webhook, invocation }, index) =>
        reviewAdmission(webhook, invocation, this.#context, {
          phase: 'validating',
          order: { round: 0, index },
          handle: () => undefined,
        }),
      ),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

async function convert(attributes: AdmissionAttributes, resource: Resource): Promise<VersionedRequest> {
  try {
    return await versionedRequest(attributes, resource);
  } catch (error) {
    throw error instanceof StatusError ? internalError(error.message) : error;
  }
}
