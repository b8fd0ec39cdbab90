import type { MutatingWebhookConfiguration } from 'ots-kubernetes/admissionregistration/v1';
import { loadCelFor } from '../../../crd/rules/cel.ts';
import type { FieldError } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy, type BuiltInTraits } from '../../../registry/built-in-strategy.ts';
import { setWebhookDefaults, strict, toleranceOf, validateWebhooks } from './validate-webhook.ts';

type Configuration = BuiltInObject<MutatingWebhookConfiguration>;

/** MutatingWebhookConfigurations and ValidatingWebhookConfigurations: which webhooks run for which requests. */
export class WebhookConfigurationStrategy extends BuiltInStrategy {
  readonly #mutates: boolean;

  constructor(traits: BuiltInTraits) {
    super(traits);
    this.#mutates = traits.kind === 'MutatingWebhookConfiguration';
  }

  override setDefaults({ webhooks }: Configuration): void {
    for (const webhook of webhooks ?? []) setWebhookDefaults(webhook, this.#mutates);
  }

  override loadFor(body: Buffer): Promise<void> {
    return loadCelFor(body, 'expression');
  }

  override validate({ webhooks = [] }: Configuration): FieldError[] {
    return validateWebhooks(webhooks, strict);
  }

  override validateUpdate({ webhooks = [] }: Configuration, old: Configuration): FieldError[] {
    return validateWebhooks(webhooks, toleranceOf(old.webhooks ?? [], webhooks));
  }
}
