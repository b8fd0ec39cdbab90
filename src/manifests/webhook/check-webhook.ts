import { reviewVersions } from 'ots-apiserver/validation';
import { checkClientConfig } from './check-client-config.ts';
import { checkRule } from './check-rule.ts';
import { reportServerErrors } from './report-server-errors.ts';
import type { ReportProblem, WebhookPath } from './report-problem.ts';
import type { Webhook } from './webhook-configuration.ts';

/**
 * Checks a webhook with the API server's own code, and for what the API server accepts although it cannot work. The
 * expressions of conditions are checked elsewhere.
 */
export function checkWebhook(webhook: Webhook, mutating: boolean, report: ReportProblem): void {
  const reported: WebhookPath[] = [];
  const reportOwn: ReportProblem = (path, problem, hint) => {
    reported.push(path);
    report(path, problem, hint);
  };
  const { rules = [] } = webhook;
  checkReviewVersions(webhook, reportOwn);
  checkClientConfig(webhook.clientConfig ?? {}, reportOwn);
  for (const [index, rule] of rules.entries()) checkRule(rule, ['rules', index], reportOwn);
  if (rules.length === 0)
    reportOwn(['rules'], 'is empty, so the webhook is never called', 'add a rule, or remove the webhook');
  if (webhook.reinvocationPolicy !== undefined && !mutating)
    reportOwn(['reinvocationPolicy'], 'is for mutating webhooks only', 'remove it');
  reportServerErrors(webhook, mutating, (path, problem, hint) => {
    if (!reported.some((own) => isSamePart(own, path))) report(path, problem, hint);
  });
}

/** Returns whether one path is a part of the other. */
function isSamePart(one: WebhookPath, other: WebhookPath): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, index) => step === other[index]);
}

/** The API server sends the first version in the list that it supports. */
function checkReviewVersions(webhook: Webhook, report: ReportProblem): void {
  const versions = webhook.admissionReviewVersions ?? [];
  const at = 'admissionReviewVersions';
  for (const [index, version] of versions.entries()) {
    if (reviewVersions.includes(version)) continue;
    const hint = `the API server knows ${reviewVersions.join(' and ')}`;
    report([at, index], `cannot have '${version}'`, hint);
  }
  if (versions[0] === 'v1beta1' && webhook.clientConfig?.url === undefined)
    report([at], 'must begin with v1', 'the API server sends the first, and ots-runtime answers v1 only');
}
