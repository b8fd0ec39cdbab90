import { resources as builtIn } from 'ots-kubernetes/resources';
import { closestName } from 'ots-apimachinery/closest-name';
import { defaultWebhookPath } from '../../project/names/webhook-path.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { valueSpan } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { TaggedWebhook } from './read-webhook.ts';
import type { WebhookRule } from './webhook-configuration.ts';

/** A kind that a project can declare handlers for. Parts that could not be read are undefined. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string | undefined;
}

/** What a project says about the paths of its webhooks. */
export interface ServedPaths {
  /** The kinds that the project defines or declares. */
  readonly kinds: readonly ServedKind[];
  /** The texts of the project's source files. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The service that ots scaffolds in front of the manager. Another service routes to another server. */
const ownService = 'webhook-service';

/**
 * Reports a webhook if the API server would call it at a path that the manager does not serve: the path is
 * neither the default that `WebhookBuilder` gives a handler of a known kind, nor a string in the code.
 * Projects that do not use `WebhookBuilder` serve their webhooks in their own way and are not checked.
 */
export function checkPaths(
  webhooks: readonly TaggedWebhook[],
  served: ServedPaths,
  diagnostics: Diagnostics,
): void {
  if (webhooks.length === 0) return;
  const code = codeOf(
    served.texts,
    webhooks.map(({ tag }) => tag),
  );
  if (!code.includes('WebhookBuilder')) return;
  const kinds = [...served.kinds, ...builtIn];
  const literals = new Set(Array.from(code.matchAll(/(['"`])(\/[^'"`\s$]*)\1/g), ([, , path]) => path!));
  for (const { tag, mutating, webhook } of webhooks) {
    const { name, path } = webhook.clientConfig?.service ?? {};
    if (name !== ownService || path === undefined || literals.has(path)) continue;
    const pathOf = ({ group, version, kind }: ServedKind) =>
      defaultWebhookPath(mutating ? 'defaulting' : 'validation', { group, domain: '', version, kind });
    if (kinds.some((kind) => pathOf(kind) === path)) continue;
    const rules = webhook.rules ?? [];
    if (rules.some((rule) => isForeign(rule, kinds))) continue;
    const called = kinds.filter((kind) => rules.some((rule) => isCalledFor(rule, kind))).map(pathOf);
    const suggestion = closestName(path, [...called, ...literals]) ?? called[0];
    const own = `give a handler this path: { path: '${path}' }`;
    const at = tag.value.indexOf(path);
    const span = at === -1 ? tag.span : valueSpan(tag, at, at + path.length);
    const hint = suggestion === undefined ? own : `did you mean ${suggestion}? Or ${own}`;
    diagnostics.error(tag.source, span, 'webhook', `no handler is served at ${path}`, hint);
  }
}

/** Returns the texts of the files, without those of the tags. */
function codeOf(texts: ReadonlyMap<string, string>, tags: readonly Tag[]): string {
  const parts: string[] = [];
  for (const [file, text] of texts) {
    let from = 0;
    for (const tag of tags.filter(({ source }) => source.path === file)) {
      parts.push(text.slice(from, tag.span.start));
      from = valueSpan(tag, tag.value.length).end;
    }
    parts.push(text.slice(from));
  }
  return parts.join('\n');
}

/** Returns whether a rule may apply to a kind that a package declares, whose name is not known here. */
function isForeign({ apiGroups = [], resources = [] }: WebhookRule, kinds: readonly ServedKind[]): boolean {
  const isKnown = (group: string, resource: string) =>
    kinds.some(
      (kind) => kind.group === group && (kind.plural === undefined || kind.plural === resource.split('/')[0]),
    );
  return apiGroups.some((group) => resources.some((resource) => !isKnown(group, resource)));
}

function isCalledFor(rule: WebhookRule, { group, version, plural }: ServedKind): boolean {
  const { apiGroups = [], apiVersions = [], resources = [] } = rule;
  return (
    apiGroups.includes(group) &&
    apiVersions.includes(version) &&
    resources.some((resource) => resource.split('/')[0] === plural)
  );
}
