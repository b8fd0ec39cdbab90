import { webhookChoices } from 'ots-apiserver/validation';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import type { Arguments } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Json } from '../schema/schema.ts';
import { applyPatch } from './apply-patch.ts';
import { checkPatchShape, checkShape } from './check-shape.ts';
import { completeArguments } from './complete-arguments.ts';
import type { Handlers } from './complete-arguments.ts';
import { checkWebhook } from './check-webhook.ts';
import { describePlace, locateArgument } from './locate-argument.ts';
import { withMatchConditionOrigins } from './match-condition-origins.ts';
import type { ReportProblem } from './report-problem.ts';
import { webhookArguments } from './webhook-arguments.ts';
import type { Webhook } from './webhook-configuration.ts';

export interface TaggedWebhook {
  readonly mutating: boolean;
  readonly tag: Tag;
  readonly webhook: Webhook;
}

/**
 * Reads a @webhook tag.
 * @param handlers the classes that supply the arguments that the tag leaves out
 * @returns undefined after errors, which are in the diagnostics
 */
export function readWebhook(
  tag: Tag,
  handlers: Handlers,
  diagnostics: Diagnostics,
): TaggedWebhook | undefined {
  const stated = parseArguments(tag, webhookArguments, diagnostics);
  const args = stated && completeArguments(stated, tag, handlers, diagnostics);
  if (!args) return undefined;
  let valid = true;
  const report: ReportProblem = (path, problem, hint) => {
    valid = false;
    const place = locateArgument(path, args);
    const message = `${describePlace(place)} ${problem}`;
    diagnostics.error(tag.source, args.span(place.argument, place.path), 'webhook', message, hint);
  };
  const mutating = args.boolean('mutating')!;
  const patch = args.json('patch') ?? {};
  checkClientArguments(args, report);
  checkPatchShape(patch, report);
  if (!valid) return undefined;
  const patched = applyPatch(toWebhook(args), patch);
  checkShape(patched, report);
  if (!valid) return undefined;
  // It has the shape of a webhook now, but fields that the patch removed may be missing.
  const webhook = patched as unknown as Webhook;
  checkWebhook(webhook, mutating, report);
  if (!valid) return undefined;
  return { mutating, tag, webhook: withMatchConditionOrigins(webhook, tag, args) };
}

function checkClientArguments(args: Arguments, report: ReportProblem): void {
  if (args.string('path') !== undefined) return;
  for (const argument of ['serviceName', 'serviceNamespace', 'servicePort'] as const) {
    const given = args.string(argument) ?? args.integer(argument);
    const field = argument.slice('service'.length).toLowerCase();
    const hint = 'add path=/…, where the service answers, or remove it';
    if (given !== undefined) report(['clientConfig', 'service', field], 'has no effect without a path', hint);
  }
}

function toWebhook(args: Arguments): Json {
  const verbs = args.list('verbs')!.map((verb) => verb.toUpperCase());
  return withoutUndefined({
    name: args.string('name'),
    admissionReviewVersions: [...(args.list('admissionReviewVersions') ?? ['v1'])],
    clientConfig: clientConfigOf(args),
    rules: [
      withoutUndefined({
        apiGroups: args.list('groups')!.map((group) => (group === 'core' ? '' : group)),
        apiVersions: [...args.list('versions')!],
        operations: verbs,
        resources: [...args.list('resources')!],
        scope: args.string('scope'),
      }),
    ],
    failurePolicy: choice(args, 'failurePolicy') ?? 'Fail',
    matchPolicy: choice(args, 'matchPolicy'),
    sideEffects: choice(args, 'sideEffects') ?? 'None',
    reinvocationPolicy: choice(args, 'reinvocationPolicy'),
    timeoutSeconds: args.integer('timeoutSeconds'),
    namespaceSelector: args.json('namespaceSelector'),
    objectSelector: args.json('objectSelector'),
    matchConditions: args.json('matchConditions'),
  });
}

function clientConfigOf(args: Arguments): Json {
  const path = args.string('path');
  const service = withoutUndefined({
    name: args.string('serviceName') ?? 'webhook-service',
    namespace: args.string('serviceNamespace') ?? 'system',
    path,
    port: args.integer('servicePort'),
  });
  return withoutUndefined({ url: args.string('url'), service: path === undefined ? undefined : service });
}

/** Returns the value as the API spells it. kubebuilder accepts it in any case. */
function choice(args: Arguments, field: keyof typeof webhookChoices): string | undefined {
  const value = args.string(field);
  return webhookChoices[field].find((name) => name.toLowerCase() === value?.toLowerCase()) ?? value;
}

function withoutUndefined(fields: Record<string, Json | undefined>): { [key: string]: Json } {
  const given = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  return Object.fromEntries(given) as { [key: string]: Json };
}
