import { closestName } from 'ots-apimachinery/closest-name';
import type { Json } from '../schema/schema.ts';
import type { ReportProblem, WebhookPath } from './report-problem.ts';

/** The expected form of a JSON value. */
type Shape =
  | 'string'
  | 'integer'
  | { readonly listOf: Shape }
  | { readonly mapOf: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

const strings = { listOf: 'string' } as const;
const selector: Shape = {
  fields: {
    matchLabels: { mapOf: 'string' },
    matchExpressions: { listOf: { fields: { key: 'string', operator: 'string', values: strings } } },
  },
};

/**
 * admissionregistration.k8s.io/v1 MutatingWebhook, which has the fields of a ValidatingWebhook and one more.
 */
const conversionWebhook: Shape = {
  fields: {
    name: 'string',
    admissionReviewVersions: strings,
    clientConfig: {
      fields: {
        url: 'string',
        caBundle: 'string',
        service: { fields: { name: 'string', namespace: 'string', path: 'string', port: 'integer' } },
      },
    },
    rules: {
      listOf: {
        fields: {
          apiGroups: strings,
          apiVersions: strings,
          operations: strings,
          resources: strings,
          scope: 'string',
        },
      },
    },
    failurePolicy: 'string',
    matchPolicy: 'string',
    sideEffects: 'string',
    timeoutSeconds: 'integer',
    reinvocationPolicy: 'string',
    namespaceSelector: selector,
    objectSelector: selector,
    matchConditions: { listOf: { fields: { name: 'string', expression: 'string' } } },
  },
};

/** Checks that a value has the fields of a webhook and no others, each with a value of its type. */
export function checkShape(webhook: Json, report: ReportProblem): void {
  check(webhook, conversionWebhook, [], { report, isPatch: false });
}

/** Does the same for a merge patch, in which null removes a field. */
export function checkPatchShape(patch: Json, report: ReportProblem): void {
  check(patch, conversionWebhook, [], { report, isPatch: true });
}

interface Context {
  readonly report: ReportProblem;
  readonly isPatch: boolean;
}

function check(value: Json, shape: Shape, path: WebhookPath, context: Context): void {
  const { report } = context;
  if (shape === 'string') {
    if (typeof value === 'string') return;
    const isPlain = typeof value === 'number' || typeof value === 'boolean';
    report(path, 'must be a string', isPlain ? `write "${value}", in quotes` : undefined);
  } else if (shape === 'integer') {
    if (!Number.isInteger(value)) report(path, 'must be an integer');
  } else if ('listOf' in shape) {
    if (!Array.isArray(value)) return report(path, 'must be a list', 'write [ and ] around it');
    // A merge patch replaces lists, so a null in a list would not remove anything.
    for (const [index, item] of value.entries())
      check(item, shape.listOf, [...path, index], { report, isPatch: false });
  } else if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report(path, 'must be an object', 'write {key: value}');
  } else {
    for (const [key, item] of Object.entries(value)) checkField(key, item, shape, [...path, key], context);
  }
}

function checkField(
  key: string,
  value: Json,
  shape: Extract<Shape, { mapOf: Shape } | { fields: object }>,
  path: WebhookPath,
  context: Context,
): void {
  if ('fields' in shape && !Object.hasOwn(shape.fields, key)) {
    const names = Object.keys(shape.fields);
    const suggestion = closestName(key, names);
    const hint = suggestion ? `did you mean ${suggestion}?` : `the fields are ${names.join(', ')}`;
    context.report(path, 'is not a field of a webhook', hint);
  } else if (!context.isPatch || value !== null) {
    check(value, 'fields' in shape ? shape.fields[key]! : shape.mapOf, path, context);
  }
}
