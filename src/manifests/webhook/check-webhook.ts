import { isSubdomain } from 'ots-apimachinery/names';
import { closestName } from 'ots-apimachinery/closest-name';
import { checkClientConfig } from './check-client-config.ts';
import { checkMatchConditions } from './check-match-conditions.ts';
import { checkRule } from './check-rule.ts';
import { checkSelector } from './check-selector.ts';
import type { ReportProblem } from './report-problem.ts';
import type { Webhook } from './webhook-configuration.ts';

/** The fields that allow only certain values. `sideEffects` has two more, which v1 rejects. */
export const fieldChoices = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Exact', 'Equivalent'],
  sideEffects: ['None', 'NoneOnDryRun'],
  reinvocationPolicy: ['Never', 'IfNeeded'],
} as const;

const reviewVersions = ['v1', 'v1beta1'];

/**
 * Checks a webhook by the rules of admissionregistration.k8s.io/v1 (validateMutatingWebhook and
 * validateValidatingWebhook of the API server), except for what only the API server can know and for the
 * expressions of its conditions.
 */
export function checkWebhook(webhook: Webhook, mutating: boolean, report: ReportProblem): void {
  const { name, rules = [], namespaceSelector, objectSelector, matchConditions, timeoutSeconds } = webhook;
  if (!isSubdomain(name) || name.split('.').length < 3) {
    const hint = 'it is a domain of at least three parts, like mjobwatcher-v1.kb.io';
    report(['name'], `cannot be '${name}'`, hint);
  }
  checkChoices(webhook, report);
  checkReviewVersions(webhook, report);
  checkClientConfig(webhook.clientConfig ?? {}, report);
  for (const [index, rule] of rules.entries()) checkRule(rule, ['rules', index], report);
  if (rules.length === 0) report(['rules'], 'is empty, so the webhook is never called');
  if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30))
    report(['timeoutSeconds'], `cannot be ${timeoutSeconds}`, 'the API server waits 1 to 30 seconds');
  if (webhook.reinvocationPolicy !== undefined && !mutating)
    report(['reinvocationPolicy'], 'is for mutating webhooks only', 'remove it');
  if (namespaceSelector) checkSelector(namespaceSelector, ['namespaceSelector'], report);
  if (objectSelector) checkSelector(objectSelector, ['objectSelector'], report);
  if (matchConditions) checkMatchConditions(matchConditions, report);
}

function checkChoices(webhook: Webhook, report: ReportProblem): void {
  for (const [field, choices] of Object.entries(fieldChoices) as [
    keyof typeof fieldChoices,
    readonly string[],
  ][]) {
    const value = webhook[field];
    if (value === undefined || choices.includes(value)) continue;
    const suggestion = closestName(value, choices);
    report(
      [field],
      `cannot be '${value}'`,
      suggestion ? `did you mean ${suggestion}?` : `it is one of ${choices.join(', ')}`,
    );
  }
  if (webhook.sideEffects === undefined)
    report(['sideEffects'], 'is missing', `it is one of ${fieldChoices.sideEffects.join(', ')}`);
}

/** The API server sends the first version in the list that it supports. */
function checkReviewVersions(webhook: Webhook, report: ReportProblem): void {
  const versions = webhook.admissionReviewVersions ?? [];
  const at = 'admissionReviewVersions';
  for (const [index, version] of versions.entries()) {
    if (!reviewVersions.includes(version)) {
      const hint = `the API server knows ${reviewVersions.join(' and ')}`;
      report([at, index], `cannot have '${version}'`, hint);
    } else if (versions.indexOf(version) < index) report([at, index], `has ${version} twice`, 'remove one');
  }
  const [first] = versions;
  if (first === undefined) report([at], 'is empty', 'write v1');
  else if (first === 'v1beta1' && webhook.clientConfig?.url === undefined)
    report([at], 'must begin with v1', 'the API server sends the first, and ots-runtime answers v1 only');
}
