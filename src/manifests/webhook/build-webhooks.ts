import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { checkPaths } from './check-paths.ts';
import type { ServedPaths } from './check-paths.ts';
import type { Handlers } from './complete-arguments.ts';
import { readConfigurationNames } from './read-configuration-names.ts';
import { readWebhook } from './read-webhook.ts';
import type { TaggedWebhook } from './read-webhook.ts';
import { reportConditions } from './report-conditions.ts';
import type { WebhookConfiguration } from './webhook-configuration.ts';

/**
 * Builds a mutating and a validating webhook configuration from the @webhook tags, if there are any of each.
 * @param configurationTags the @webhookConfiguration tags, which name the configurations
 * @param served the paths of the project's handlers
 * @param handlers the classes that supply the arguments that a tag leaves out
 */
export function buildWebhooks(
  tags: readonly Tag[],
  configurationTags: readonly Tag[],
  served: ServedPaths,
  handlers: Handlers,
  diagnostics: Diagnostics,
): WebhookConfiguration[] {
  const all = tags.map((tag) => readWebhook(tag, handlers, diagnostics));
  const webhooks = all.filter((webhook) => webhook !== undefined);
  for (const { webhook } of webhooks) reportConditions(webhook.matchConditions ?? [], diagnostics);
  checkPaths(webhooks, served, diagnostics);
  // After errors, the final set of webhooks is unknown.
  if (webhooks.length < all.length) return [];
  const names = readConfigurationNames(configurationTags, webhooks, diagnostics);
  return [true, false].flatMap((mutating): WebhookConfiguration[] => {
    const members = webhooks.filter((webhook) => webhook.mutating === mutating);
    checkNamesUnique(members, diagnostics);
    if (members.length === 0) return [];
    return [
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: mutating ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
        metadata: { name: mutating ? names.mutating : names.validating },
        webhooks: members
          .map(({ webhook }) => webhook)
          .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
      },
    ];
  });
}

function checkNamesUnique(webhooks: readonly TaggedWebhook[], diagnostics: Diagnostics): void {
  const seen = new Set<string>();
  for (const { tag, webhook } of webhooks) {
    if (seen.has(webhook.name)) {
      const message = `another webhook is called ${webhook.name}`;
      diagnostics.error(tag.source, tag.span, 'webhook', message, 'give each its own name');
    }
    seen.add(webhook.name);
  }
}
