import type { WebhookConversion } from 'ots-kubernetes/apiextensions/v1';
import { dns1035Label } from 'ots-apimachinery/names';
import { validateClientConfig } from '../webhooks/validate-client-config.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../status/field-error.ts';
import type { Crd } from './crd-types.ts';

const strategies = ['None', 'Webhook'];
const knownVersions = ['v1', 'v1beta1'];
// A real server names fields as in its internal form of a definition, which has fewer levels.
const configPath = 'spec.conversion.webhookClientConfig';
const versionsPath = 'spec.conversion.conversionReviewVersions';

/**
 * Validates how the versions of a definition are converted.
 *
 * @param old the definition before the update; undefined for a new one
 */
export function validateConversion({ spec }: Crd, old: Crd | undefined): FieldError[] {
  const { strategy = '', webhook } = spec.conversion ?? {};
  const field = 'spec.conversion.strategy';
  if (strategy === '') return [required(field)];
  if (strategy === 'Webhook') return validateWebhook(webhook, old);
  return [
    ...(strategy === 'None' ? [] : [notSupported(field, strategy, strategies)]),
    ...validateUnused(webhook),
  ];
}

function validateUnused(webhook: WebhookConversion | undefined): FieldError[] {
  const detail = 'should not be set when strategy is not set to Webhook';
  return [
    ...(webhook?.clientConfig ? [forbidden(configPath, detail)] : []),
    ...(versionsOf(webhook).length > 0 ? [forbidden(versionsPath, detail)] : []),
  ];
}

function validateWebhook(webhook: WebhookConversion | undefined, old: Crd | undefined): FieldError[] {
  return [
    ...(webhook?.clientConfig
      ? validateClientConfig(webhook.clientConfig, configPath)
      : [required(configPath, 'required when strategy is set to Webhook')]),
    ...validateReviewVersions(versionsOf(webhook), old),
  ];
}

function validateReviewVersions(versions: readonly string[], old: Crd | undefined): FieldError[] {
  if (versions.length === 0) return [required(versionsPath)];
  const before = versionsOf(old?.spec.conversion?.webhook);
  // A list that was accepted before may stay without a known version.
  const needsKnown = before.length === 0 || hasKnown(before);
  return [
    ...versions.flatMap((version, index) => {
      const path = `${versionsPath}[${index}]`;
      if (versions.indexOf(version) < index) return [invalid(path, version, 'duplicate version')];
      return dns1035Label(version).map((message) => invalid(path, version, message));
    }),
    ...(needsKnown && !hasKnown(versions)
      ? [invalid(versionsPath, versions, `must include at least one of ${knownVersions.join(', ')}`)]
      : []),
  ];
}

/** Clients may send null. */
function versionsOf(webhook: Partial<WebhookConversion> | undefined): readonly string[] {
  return webhook?.conversionReviewVersions ?? [];
}

function hasKnown(versions: readonly string[]): boolean {
  return versions.some((version) => knownVersions.includes(version));
}
