import type { AdmissionAttributes } from '../../registry/admission.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { convertObject } from '../convert-object.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import type { Reinvocation } from '../reinvocation.ts';
import { isAdmissionConfiguration } from '../../registry/request-identity.ts';
import { unstructuredJson } from '../../registry/unstructured.ts';
import type { VersionedRequest } from '../versioned-request.ts';
import { applyResponsePatch } from './apply-response-patch.ts';
import { type ConfiguredWebhook, ConfiguredWebhooks } from './configured-webhooks.ts';
import { type WebhookContext, invocationOf } from './invocation.ts';
import { reviewAdmission } from './review-admission.ts';

/** Calls the webhooks that may change objects, one after the other. */
export class MutatingAdmissionWebhook implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionWebhook';
  readonly #webhooks: ConfiguredWebhooks;
  readonly #context: WebhookContext;

  constructor(context: WebhookContext) {
    this.#context = context;
    this.#webhooks = new ConfiguredWebhooks(context.registry, 'mutatingwebhookconfigurations');
  }

  get mayWait(): boolean {
    return this.#webhooks.all.length > 0;
  }

  handles(attributes: AdmissionAttributes): boolean {
    return this.mayWait && !isAdmissionConfiguration(attributes);
  }

  async mutate(attributes: AdmissionAttributes, reinvocation: Reinvocation): Promise<void> {
    const reinvoked = reinvocation.of(this.name);
    reinvoked.start(attributes.object);
    for (const webhook of this.#webhooks.all) {
      const invocation = await invocationOf(webhook, attributes, this.#context);
      if (!invocation || !reinvoked.runs(webhook.id)) continue;
      const isChanged = await this.#call(webhook, invocation);
      reinvoked.ran(webhook.id, isChanged, webhook.reinvocationPolicy === 'IfNeeded');
    }
    reinvoked.end(attributes.object);
  }

  /** Calls a webhook and applies its patch. Returns whether the object changed. */
  async #call(webhook: ConfiguredWebhook, invocation: VersionedRequest): Promise<boolean> {
    const { attributes, kind, object } = invocation;
    const patched = await reviewAdmission(webhook, invocation, this.#context.services, {
      mutates: true,
      handle: (response) => applyResponsePatch(webhook.name, object, kind, response),
    });
    if (!patched || !object || jsonEqual(unstructuredJson(patched), unstructuredJson(object))) return false;
    if (kind.custom) kind.strategy.setDefaults(patched);
    attributes.object =
      kind === attributes.kind ? patched : await convertObject(patched, kind, attributes.kind);
    return true;
  }
}
