import type { AdmissionAttributes } from '../../registry/admission.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { matchResources } from '../match-resources.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import type { Reinvocation } from '../reinvocation.ts';
import { isAdmissionConfiguration } from '../../registry/request-identity.ts';
import { unstructuredJson } from '../../registry/unstructured.ts';
import type { VersionedRequest } from '../versioned-request.ts';
import { applyResponsePatch } from './apply-response-patch.ts';
import { type ConfiguredWebhook, ConfiguredWebhooks } from './configured-webhooks.ts';
import { type WebhookContext, meetsConditions } from './meets-conditions.ts';
import { reviewAdmission } from './review-admission.ts';
import { VersionedState } from './versioned-state.ts';

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
    const state = new VersionedState(attributes);
    for (const webhook of this.#webhooks.all) {
      const resource = matchResources(webhook, state.attributes, this.#context.registry);
      if (!resource || !(await meetsConditions(webhook, () => state.in(resource), this.#context))) continue;
      if (!reinvoked.runs(webhook.id)) continue;
      const isChanged = await this.#call(webhook, await state.in(resource), state);
      reinvoked.ran(webhook.id, isChanged, webhook.reinvocationPolicy === 'IfNeeded');
    }
    await state.settle();
    reinvoked.end(attributes.object);
  }

  /** Calls a webhook and applies its patch. Returns whether the object changed. */
  async #call(
    webhook: ConfiguredWebhook,
    invocation: VersionedRequest,
    state: VersionedState,
  ): Promise<boolean> {
    const { kind, object } = invocation;
    const patched = await reviewAdmission(webhook, invocation, this.#context.services, {
      mutates: true,
      handle: (response) => applyResponsePatch(webhook.name, object, kind, response),
    });
    if (!patched || !object) return false;
    const isChanged = !jsonEqual(unstructuredJson(patched), unstructuredJson(object));
    if (kind.custom) kind.strategy.setDefaults(patched);
    state.change(invocation, patched);
    return isChanged;
  }
}
