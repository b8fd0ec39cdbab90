import { validateNewWebhook } from 'ots-apiserver/validation';
import type { FieldError } from 'ots-apiserver/validation';
import { describeFieldError } from '../structural/describe-field-error.ts';
import { hintForWebhook } from './hint-for-webhook.ts';
import type { ReportProblem, WebhookPath } from './report-problem.ts';
import type { LabelSelector, Webhook } from './webhook-configuration.ts';

/** Reports what the API server says about a webhook, except for the expressions of its conditions. */
export function reportServerErrors(webhook: Webhook, mutating: boolean, report: ReportProblem): void {
  for (const error of validateNewWebhook(asDecoded(webhook), mutating)) {
    const path = pathOf(error, webhook);
    const value = partAt(webhook, path);
    const hint = hintForWebhook(path, error.message);
    // A field that an item of a list lacks is not written anywhere.
    if (value === undefined && typeof path.at(-2) === 'number')
      report(path.slice(0, -1), `has no ${path.at(-1)}`, hint);
    else report(path, problemOf(error, value), hint);
  }
}

function problemOf(error: FieldError, value: unknown): string {
  if (error.reason === 'FieldValueRequired') return value === undefined ? 'is missing' : 'is empty';
  return `is not valid: ${describeFieldError(error)}`;
}

type Decoded = Parameters<typeof validateNewWebhook>[0];

/**
 * Returns the webhook as the API server decodes it: missing texts are empty. Other modules check the names of the service
 * and the expressions of conditions, so these are replaced by valid ones.
 */
function asDecoded({ matchConditions, namespaceSelector, objectSelector, ...webhook }: Webhook): Decoded {
  const { service, ...config } = webhook.clientConfig ?? {};
  return {
    ...webhook,
    name: webhook.name ?? '',
    clientConfig: {
      ...config,
      ...(service && { service: { ...service, name: 'service', namespace: 'namespace' } }),
    },
    ...(namespaceSelector && { namespaceSelector: decodedSelector(namespaceSelector) }),
    ...(objectSelector && { objectSelector: decodedSelector(objectSelector) }),
    ...(matchConditions && {
      matchConditions: matchConditions.map(({ name = '', expression = '' }) => ({
        name,
        expression: expression.trim() === '' ? '' : 'true',
      })),
    }),
  } as Decoded;
}

function decodedSelector({ matchExpressions, ...selector }: LabelSelector): object {
  if (!matchExpressions) return selector;
  return {
    ...selector,
    matchExpressions: matchExpressions.map(({ key = '', operator = '', ...rest }) => ({
      key,
      operator,
      ...rest,
    })),
  };
}

/** Reads `rules[0].operations[1]`. The API server does not say which label is wrong. */
function pathOf({ field, message }: FieldError, webhook: Webhook): WebhookPath {
  const path = (field.match(/[^.[\]]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  if (path.at(-1) !== 'matchLabels') return path;
  const labels = Object.entries((partAt(webhook, path) ?? {}) as Record<string, string>);
  const wrong = labels.find((label) =>
    label.some((text) => message.startsWith(`Invalid value: ${JSON.stringify(text)}: `)),
  );
  return wrong ? [...path, wrong[0]] : path;
}

function partAt(webhook: Webhook, path: WebhookPath): unknown {
  return path.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], webhook);
}
