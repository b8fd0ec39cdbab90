import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { parseArguments } from '../markers/parse-arguments.ts';
import type { ArgumentSpec, Arguments } from '../markers/parse-arguments.ts';
import type { Tag } from '../markers/tag.ts';

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'];
const ARGUMENTS: readonly ArgumentSpec[] = [
  { name: 'mutating', type: 'boolean', required: true },
  { name: 'name', type: 'string', required: true },
  { name: 'path', type: 'string', required: true },
  { name: 'groups', type: 'list', required: true },
  { name: 'versions', type: 'list', required: true },
  { name: 'resources', type: 'list', required: true },
  { name: 'verbs', type: 'list', required: true },
  { name: 'failurePolicy', type: 'string', values: ['Fail', 'Ignore', 'fail', 'ignore'] },
  { name: 'sideEffects', type: 'string', values: ['None', 'NoneOnDryRun'] },
  { name: 'admissionReviewVersions', type: 'list', values: ['v1'] },
  { name: 'matchPolicy', type: 'string', values: ['Exact', 'Equivalent'] },
  { name: 'timeoutSeconds', type: 'integer' },
  { name: 'reinvocationPolicy', type: 'string', values: ['Never', 'IfNeeded'] },
];
/** The API server wants a domain with three labels. */
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?){2,}$/;

interface Webhook {
  readonly mutating: boolean;
  readonly tag: Tag;
  readonly entry: { readonly name: string } & Record<string, unknown>;
}

/** Builds a webhook configuration for the mutating and one for the validating @webhook tags, as far as there are any. */
export function buildWebhooks(tags: readonly Tag[], diagnostics: Diagnostics): object[] {
  const webhooks = tags
    .map((tag) => readWebhook(tag, diagnostics))
    .filter((webhook) => webhook !== undefined);
  return [true, false].flatMap((mutating) => {
    const members = webhooks.filter((webhook) => webhook.mutating === mutating);
    checkNamesUnique(members, diagnostics);
    if (members.length === 0) return [];
    return {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: mutating ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
      metadata: { name: `${mutating ? 'mutating' : 'validating'}-webhook-configuration` },
      webhooks: members.map(({ entry }) => entry).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    };
  });
}

function readWebhook(tag: Tag, diagnostics: Diagnostics): Webhook | undefined {
  const args = parseArguments(tag, ARGUMENTS, diagnostics);
  if (!args || !checkWebhook(tag, args, diagnostics)) return undefined;
  const failurePolicy = args.string('failurePolicy') ?? 'Fail';
  return {
    mutating: args.boolean('mutating')!,
    tag,
    entry: {
      name: args.string('name')!,
      admissionReviewVersions: args.list('admissionReviewVersions') ?? ['v1'],
      clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: args.string('path') } },
      failurePolicy: failurePolicy[0]!.toUpperCase() + failurePolicy.slice(1),
      sideEffects: args.string('sideEffects') ?? 'None',
      rules: [
        {
          apiGroups: args.list('groups')!.map((group) => (group === 'core' ? '' : group)),
          apiVersions: args.list('versions'),
          operations: args.list('verbs')!.map((verb) => verb.toUpperCase()),
          resources: args.list('resources'),
        },
      ],
      ...optional(args),
    },
  };
}

function optional(args: Arguments): Record<string, unknown> {
  const given: Record<string, unknown> = {
    matchPolicy: args.string('matchPolicy'),
    reinvocationPolicy: args.string('reinvocationPolicy'),
    timeoutSeconds: args.integer('timeoutSeconds'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function checkWebhook(tag: Tag, args: Arguments, diagnostics: Diagnostics): boolean {
  let valid = true;
  const fail = (argument: string, message: string, hint: string) => {
    valid = false;
    diagnostics.error(tag.source, args.span(argument), 'webhook', message, hint);
  };
  const name = args.string('name')!;
  const path = args.string('path')!;
  if (!NAME.test(name) || name.length > 253)
    fail(
      'name',
      `'${name}' is no name of a webhook`,
      'it is a domain of at least three parts, like mjobwatcher-v1.kb.io',
    );
  if (!/^(?:\/[\w.-]+)+$/.test(path))
    fail('path', `'${path}' is no path of a webhook`, 'begin it with a slash and end it without');
  for (const argument of ['versions', 'resources', 'verbs', 'admissionReviewVersions']) {
    if (args.list(argument)?.some((value) => value === ''))
      fail(argument, `${argument} has an empty item`, 'separate items with semicolons');
  }
  const operation = args
    .list('verbs')!
    .find((verb) => verb !== '' && !OPERATIONS.includes(verb.toUpperCase()));
  if (operation) fail('verbs', `there is no operation ${operation}`, `it is any of ${OPERATIONS.join(', ')}`);
  const timeout = args.integer('timeoutSeconds');
  if (timeout !== undefined && (timeout < 1 || timeout > 30))
    fail('timeoutSeconds', `timeoutSeconds cannot be ${timeout}`, 'the API server waits 1 to 30 seconds');
  if (args.string('reinvocationPolicy') && !args.boolean('mutating')) {
    fail('reinvocationPolicy', 'only mutating webhooks are invoked again', 'remove reinvocationPolicy');
  }
  return valid;
}

function checkNamesUnique(webhooks: readonly Webhook[], diagnostics: Diagnostics): void {
  const seen = new Set<string>();
  for (const { tag, entry } of webhooks) {
    if (seen.has(entry.name)) {
      diagnostics.error(
        tag.source,
        tag.span,
        'webhook',
        `another webhook is called ${entry.name}`,
        'give each a name of its own',
      );
    }
    seen.add(entry.name);
  }
}
