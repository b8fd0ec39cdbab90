import type { MutatingWebhook } from 'ots-kubernetes/admissionregistration/v1';
import { dns1035Label, subdomain } from 'ots-apimachinery/names';
import { jsonEqual } from '../../../json/json-equal.ts';
import { type FieldError, duplicate, invalid, notSupported, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateChoice } from '../../validation/validate-choice.ts';
import { type SelectorTolerance, validateLabelSelector } from '../../validation/validate-label-selector.ts';
import { failurePolicies, matchPolicies, reinvocationPolicies } from './choices.ts';
import { validateClientConfig } from '../../../webhooks/validate-client-config.ts';
import { validateMatchConditions } from './validate-match-conditions.ts';
import { validateRule } from './validate-rule.ts';

/** A webhook of either kind: validating ones lack the reinvocation policy. */
export type Webhook = MutatingWebhook;

/** Faults that webhooks may keep, because an older server did not check them. */
interface WebhookTolerance extends SelectorTolerance {
  sideEffects: boolean;
  reviewVersions: boolean;
  sameNames: boolean;
  /** Whether the match conditions are unchanged. */
  conditions: boolean;
}

/** The versions of the reviews that a server sends. */
export const reviewVersions = ['v1', 'v1beta1'];
const allSideEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const noSideEffects = ['None', 'NoneOnDryRun'];
/** The values of the fields of a new webhook that allow only certain values. */
export const webhookChoices = {
  failurePolicy: failurePolicies,
  matchPolicy: matchPolicies,
  reinvocationPolicy: reinvocationPolicies,
  sideEffects: noSideEffects,
};
export const strict: WebhookTolerance = {
  invalidValues: false,
  sideEffects: false,
  reviewVersions: false,
  sameNames: false,
  conditions: false,
};

/**
 * Sets the defaults of a webhook. Changes it.
 *
 * @param mutates whether it is one of a MutatingWebhookConfiguration
 */
export function setWebhookDefaults(webhook: Webhook, mutates: boolean): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (mutates) webhook.reinvocationPolicy ??= 'Never';
  if (webhook.clientConfig.service) webhook.clientConfig.service.port ??= 443;
  for (const rule of webhook.rules ?? []) rule.scope ??= '*';
}

/** The faults that may stay, judging by the webhooks before an update. */
export function toleranceOf(old: readonly Webhook[], webhooks: readonly Webhook[]): WebhookTolerance {
  const names = old.map(({ name }) => name);
  return {
    invalidValues: old.some((webhook) => validateSelectors(webhook, '', strict).length > 0),
    sideEffects: !old.every(({ sideEffects }) => noSideEffects.includes(sideEffects)),
    reviewVersions: old.some(({ admissionReviewVersions: sent }) => sent?.length && !isRecognized(sent)),
    sameNames: new Set(names).size < names.length,
    conditions:
      old.length === webhooks.length &&
      old.every(({ matchConditions }, index) => jsonEqual(matchConditions, webhooks[index]?.matchConditions)),
  };
}

/** Validates the webhooks of a configuration. */
export function validateWebhooks(webhooks: readonly Webhook[], tolerance: WebhookTolerance): FieldError[] {
  const names = webhooks.map(({ name }) => name);
  return webhooks.flatMap((webhook, index) => {
    const path = `webhooks[${index}]`;
    const { name, admissionReviewVersions } = webhook;
    return [
      ...validateWebhook(webhook, path, tolerance),
      ...validateVersions(admissionReviewVersions ?? [], `${path}.admissionReviewVersions`, tolerance),
      ...(!tolerance.sameNames && name !== '' && names.indexOf(name) < index
        ? [duplicate(`${path}.name`, name)]
        : []),
    ];
  });
}

function validateWebhook(webhook: Webhook, path: string, tolerance: WebhookTolerance): FieldError[] {
  const { name, rules = [], timeoutSeconds = 10, clientConfig, matchConditions = [] } = webhook;
  return [
    ...validateName(name, `${path}.name`),
    ...rules.flatMap((rule, index) => validateRule(rule, `${path}.rules[${index}]`)),
    ...validatePolicies(webhook, path, tolerance),
    ...(timeoutSeconds > 30 || timeoutSeconds < 1
      ? [
          invalid(
            `${path}.timeoutSeconds`,
            timeoutSeconds,
            'the timeout value must be between 1 and 30 seconds',
          ),
        ]
      : []),
    ...validateSelectors(webhook, path, tolerance),
    ...validateClientConfig(clientConfig, `${path}.clientConfig`),
    ...(tolerance.conditions
      ? []
      : validateMatchConditions(matchConditions, `${path}.matchConditions`, false)),
  ];
}

function validatePolicies(webhook: Webhook, path: string, tolerance: WebhookTolerance): FieldError[] {
  const { failurePolicy, matchPolicy, reinvocationPolicy, sideEffects } = webhook;
  const allowed = tolerance.sideEffects ? allSideEffects : noSideEffects;
  const field = `${path}.sideEffects`;
  return [
    ...validateChoice(`${path}.failurePolicy`, failurePolicy, failurePolicies),
    ...validateChoice(`${path}.matchPolicy`, matchPolicy, matchPolicies),
    ...(reinvocationPolicy === undefined
      ? []
      : validateChoice(`${path}.reinvocationPolicy`, reinvocationPolicy, reinvocationPolicies)),
    ...((sideEffects ?? undefined) === undefined
      ? [required(field, `must specify one of ${allowed.join(', ')}`)]
      : allowed.includes(sideEffects)
        ? []
        : [notSupported(field, sideEffects, allowed)]),
  ];
}

function validateSelectors(webhook: Webhook, path: string, tolerance: SelectorTolerance): FieldError[] {
  const { namespaceSelector = {}, objectSelector = {} } = webhook;
  return [
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, tolerance),
    ...validateLabelSelector(objectSelector, `${path}.objectSelector`, tolerance),
  ];
}

/** Webhooks have names like hosts in a domain. */
function validateName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const faults = subdomain(name);
  if (faults.length > 0) return [invalid(field, name, faults.join(','))];
  return name.split('.').length >= 3
    ? []
    : [invalid(field, name, 'should be a domain with at least three segments separated by dots')];
}

function validateVersions(
  versions: readonly string[],
  field: string,
  tolerance: WebhookTolerance,
): FieldError[] {
  if (versions.length === 0) return [required(field, `must specify one of ${reviewVersions.join(', ')}`)];
  return [
    ...versions.flatMap((version, index) =>
      versions.indexOf(version) < index
        ? [invalid(`${field}[${index}]`, version, 'duplicate version')]
        : errorsOfRule(`${field}[${index}]`, version, dns1035Label),
    ),
    ...(tolerance.reviewVersions || isRecognized(versions)
      ? []
      : [invalid(field, versions, `must include at least one of ${reviewVersions.join(', ')}`)]),
  ];
}

function isRecognized(versions: readonly string[]): boolean {
  return versions.some((version) => reviewVersions.includes(version));
}
