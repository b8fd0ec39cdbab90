import { isSubdomain } from 'ots-apimachinery/names';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import type { ArgumentSpec } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { TaggedWebhook } from './read-webhook.ts';

/** The names of the two webhook configurations of a project. */
export interface ConfigurationNames {
  readonly mutating: string;
  readonly validating: string;
}

const argumentSpecs: readonly ArgumentSpec[] = [
  { name: 'mutating', type: 'boolean', required: true },
  { name: 'name', type: 'string', required: true },
];

/**
 * Reads the @webhookConfiguration tags: at most one for the mutating webhooks and one for the validating
 * webhooks.
 */
export function readConfigurationNames(
  tags: readonly Tag[],
  webhooks: readonly TaggedWebhook[],
  diagnostics: Diagnostics,
): ConfigurationNames {
  const names = new Map<boolean, string>();
  for (const tag of tags) {
    const args = parseArguments(tag, argumentSpecs, diagnostics);
    if (!args) continue;
    const fail = (argument: string, message: string, hint: string) =>
      diagnostics.error(tag.source, args.span(argument), 'webhook', message, hint);
    const [mutating, name] = [args.boolean('mutating')!, args.string('name')!];
    const sort = mutating ? 'mutating' : 'validating';
    if (!isSubdomain(name))
      fail('name', `name cannot be '${name}'`, 'it consists of lower case letters, digits, dashes and dots');
    if (names.has(mutating))
      fail('mutating', `the ${sort} webhooks have a name already`, 'all of them are in one configuration');
    else if (webhooks.every((webhook) => webhook.mutating !== mutating))
      fail('mutating', `there is no ${sort} webhook`, 'add a @webhook tag, or remove this one');
    names.set(mutating, name);
  }
  return {
    mutating: names.get(true) ?? 'mutating-webhook-configuration',
    validating: names.get(false) ?? 'validating-webhook-configuration',
  };
}
