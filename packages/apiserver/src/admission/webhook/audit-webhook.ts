import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { AdmissionResponse } from './admission-review.ts';
import type { ConfiguredWebhook } from './configured-webhooks.ts';

/** When a webhook is called, as audit annotations name it. */
export interface CallOrder {
  /** 1 for a reinvocation, else 0. */
  readonly round: number;
  /** A mutating webhook counts from the first one that is configured, a validating one from the first that sees the request. */
  readonly index: number;
}

/** Records the audit annotations that a webhook responded with. */
export function auditResponse(
  { audit }: AdmissionAttributes,
  { name }: ConfiguredWebhook,
  { auditAnnotations }: AdmissionResponse,
): void {
  if (!audit) return;
  for (const [key, value] of Object.entries(auditAnnotations)) audit.add(`${name}/${key}`, value);
}

/** Records that a webhook failed and was ignored. */
export function auditFailedOpen(
  { audit }: AdmissionAttributes,
  { name }: ConfiguredWebhook,
  phase: 'mutation' | 'validating',
  order: CallOrder,
): void {
  audit?.add(`failed-open.${phase}.webhook.admission.k8s.io/${keyOf(order)}`, name);
}

/** Records whether a webhook changed the object. */
export function auditMutation(
  { audit }: AdmissionAttributes,
  { configuration, name: webhook }: ConfiguredWebhook,
  mutated: boolean,
  order: CallOrder,
): void {
  if (!audit) return;
  const value = JSON.stringify({ configuration, webhook, mutated });
  audit.add(`mutation.webhook.admission.k8s.io/${keyOf(order)}`, value);
}

function keyOf({ round, index }: CallOrder): string {
  return `round_${round}_index_${index}`;
}
