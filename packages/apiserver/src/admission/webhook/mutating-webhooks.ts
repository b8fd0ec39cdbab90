import type { AdmissionAttributes } from '../../registry/admission.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { matchResources } from '../match-resources.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import type { Reinvocation } from '../reinvocation.ts';
import { isAdmissionConfiguration } from '../../registry/request-identity.ts';
import type { VersionedRequest } from '../versioned-request.ts';
import { type CallOrder, auditMutation } from './audit-webhook.ts';
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
    for (const [index, webhook] of this.#webhooks.all.entries()) {
      const resource = matchResources(webhook, state.attributes, this.#context.registry);
      if (!resource || !(await meetsConditions(webhook, () => state.in(resource), this.#context))) continue;
      if (!reinvoked.runs(webhook.id)) continue;
      const invocation = await state.in(resource);
      const isChanged = await this.#call({ webhook, invocation, index }, state, reinvocation);
      reinvoked.ran(webhook.id, isChanged, webhook.reinvocationPolicy === 'IfNeeded');
    }
    await state.settle();
    reinvoked.end(attributes.object);
  }

  /** Calls a webhook and applies its patch. Returns whether the object changed. */
  async #call(
    {
      webhook,
      invocation,
      index,
    }: { webhook: ConfiguredWebhook; invocation: VersionedRequest; index: number },
    state: VersionedState,
    { isSecondRound, isNeeded }: Reinvocation,
  ): Promise<boolean> {
    const { attributes, kind, object } = invocation;
    const order: CallOrder = { round: isSecondRound ? 1 : 0, index };
    let isChanged = false;
    try {
      const patched = await reviewAdmission(webhook, invocation, this.#context, {
        phase: 'mutation',
        order,
        handle: (response) => applyResponsePatch(webhook.name, object, kind, response),
      });
      if (!patched) return false;
      isChanged = patched.isChanged || (!isNeeded && hasNewTimes(attributes));
      if (kind.custom) kind.strategy.setDefaults(patched.object);
      state.change(invocation, patched.object);
      return isChanged;
    } finally {
      auditMutation(attributes, webhook, isChanged, order);
    }
  }
}

/**
 * Whether the request sets times that kube-apiserver compares before and after a patch: those of field managers of built-in kinds.
 * They have nanoseconds until the first patch, which rounds them and so counts as a change even if it changes nothing else.
 */
function hasNewTimes({ kind, object, oldObject }: AdmissionAttributes): boolean {
  const known = oldObject?.metadata.managedFields ?? [];
  const managers = object?.metadata.managedFields ?? [];
  return !kind.custom && managers.some((manager) => !known.some((one) => jsonEqual(one, manager)));
}
