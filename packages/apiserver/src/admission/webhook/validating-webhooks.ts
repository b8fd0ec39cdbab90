import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { isAdmissionConfiguration } from '../../registry/request-identity.ts';
import type { VersionedRequest } from '../versioned-request.ts';
import { type ConfiguredWebhook, ConfiguredWebhooks } from './configured-webhooks.ts';
import { type WebhookContext, invocationOf } from './invocation.ts';
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
      const invocation = await invocationOf(webhook, attributes, this.#context);
      if (invocation) reviews.push({ webhook, invocation });
    }
    const results = await Promise.allSettled(
      reviews.map(({ webhook, invocation }) =>
        reviewAdmission(webhook, invocation, this.#context.services, {
          mutates: false,
          handle: () => undefined,
        }),
      ),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}
