import * as implementation from 'ots-cel';
import { provideCel } from '../../../crd/rules/cel.ts';
import { cloneJson } from '../../../json/clone-json.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { type Webhook, setWebhookDefaults, strict, validateWebhooks } from './validate-webhook.ts';

/**
 * Validates one webhook before a server sees it, with the defaults that a server would set.
 *
 * @param webhook is not changed; as decoded: a required text is at least empty
 * @param mutates whether it is one of a MutatingWebhookConfiguration
 * @returns the errors; the fields start at the webhook: `rules[0].operations[1]`
 */
export function validateNewWebhook(webhook: Webhook, mutates: boolean): FieldError[] {
  provideCel(implementation);
  const complete = cloneJson(webhook);
  setWebhookDefaults(complete, mutates);
  return validateWebhooks([complete], strict).map((error) => ({
    ...error,
    field: error.field.replace(/^webhooks\[0\]\./, ''),
  }));
}
