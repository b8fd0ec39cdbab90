import { mergeRules } from 'ots-apimachinery/rbac/merge-rules';
import type { PolicyRule } from 'ots-apimachinery/rbac/policy-rule';
import { rbacTag } from 'ots-apimachinery/rbac/rbac-tag';
import { pathMatches, ruleAllows } from 'ots-apimachinery/rbac/rule-matching';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { locate } from '../diagnostics/diagnostic.ts';
import type { ClassDeclaration } from '../source/module.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { RecordedAccess } from './read-record.ts';
import type { TaggedRule } from './read-rules.ts';

/** A tag to add, change or remove. */
export interface RbacFinding extends Pick<Diagnostic, 'message'> {
  readonly code: 'missing-rule' | 'wide-rule' | 'unused-rule';
  readonly hint: string;
  /** The tags to write: to add, or in place of the one that is there. */
  readonly tags: readonly string[];
  /** The class that the tag belongs to; undefined if it is not known. */
  readonly className: string | undefined;
  /** The tag that is there, or one of the class; undefined if it is not known. */
  readonly at: ReturnType<typeof locate> | undefined;
}

/** What every user may do by the roles that each cluster has (`system:discovery`, `system:basic-user`). */
const everyone: readonly PolicyRule[] = [
  {
    nonResourceURLs:
      '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/'.split(' '),
    verbs: ['get'],
  },
  {
    apiGroups: ['authentication.k8s.io', 'authorization.k8s.io'],
    resources: ['selfsubjectreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    verbs: ['create'],
  },
];

/**
 * Compares the @rbac tags with recorded requests: which tags grant more than the requests used, and which requests no tag allows.
 *
 * @param classes all of the sources
 */
export function proposeRules(
  rules: readonly TaggedRule[],
  requests: readonly RecordedAccess[],
  classes: readonly ClassDeclaration[],
): RbacFinding[] {
  const classOf = (tag: Tag) => classes.find(({ doc }) => doc.tags.includes(tag))?.name;
  // The author binds other roles, perhaps to other users.
  const own = rules.filter(({ roleName }) => roleName === undefined);
  const tooWide = own.flatMap((tagged) => findingOf(tagged, requests, classOf(tagged.tag)) ?? []);
  const missing = requests.filter(
    (request) =>
      !rules.some((tagged) => allows(tagged, request)) && !everyone.some((rule) => ruleAllows(rule, request)),
  );
  return [...tooWide, ...missingFindings(missing, own, classOf)];
}

function allows({ rule, namespace }: TaggedRule, request: RecordedAccess): boolean {
  if (namespace !== '' && !('namespace' in request && request.namespace === namespace)) return false;
  return ruleAllows(rule, request);
}

/** Undefined if the requests used all of a rule. */
function findingOf(
  tagged: TaggedRule,
  requests: readonly RecordedAccess[],
  className: string | undefined,
): RbacFinding | undefined {
  const { rule, tag, namespace } = tagged;
  const used = requests.filter((request) => allows(tagged, request)).map((request) => needOf(request, rule));
  const least = mergeRules(used);
  if (JSON.stringify(least) === JSON.stringify(mergeRules([rule]))) return undefined;
  const tags = least.map((part) => rbacTag(part, namespace));
  const place = { className, at: locate(tag.source, tag.span), tags };
  return tags.length === 0
    ? { ...place, code: 'unused-rule', message: 'no recorded request used this rule', hint: 'Remove it.' }
    : {
        ...place,
        code: 'wide-rule',
        message: 'the recorded requests used only a part of this rule',
        hint: `Write ${tags.join(' and ')} instead.`,
      };
}

/** The least rule that allows a request; with the names and the pattern of a path that a rule has. */
function needOf(request: RecordedAccess, { resourceNames, nonResourceURLs = [] }: PolicyRule): PolicyRule {
  const verbs = [request.verb];
  if ('path' in request) {
    const pattern = nonResourceURLs.find((each) => pathMatches(each, request.path));
    return { nonResourceURLs: [pattern ?? request.path], verbs };
  }
  const { group, resource, subresource, name } = request;
  return {
    apiGroups: [group],
    resources: [subresource === '' ? resource : `${resource}/${subresource}`],
    ...(resourceNames && { resourceNames: [name] }),
    verbs,
  };
}

function missingFindings(
  requests: readonly RecordedAccess[],
  own: readonly TaggedRule[],
  classOf: (tag: Tag) => string | undefined,
): RbacFinding[] {
  const needs = requests.flatMap((request) => {
    const need = needOf(request, { verbs: [] });
    // A cache lists first: if that is denied, the watch is not seen.
    return request.verb === 'list' ? [need, { ...need, verbs: ['watch'] }] : [need];
  });
  return mergeRules(needs).map((rule) => {
    const related = relatedTag(rule, own);
    const className = related && classOf(related);
    const text = rbacTag(rule);
    return {
      code: 'missing-rule',
      message: `${text} is missing`,
      hint: `Add it to ${className ?? 'the comment of the class that needs it'}.`,
      tags: [text],
      className,
      at: related && locate(related.source, related.span),
    };
  });
}

/** A tag of the class that most likely needs a rule: one for the same resource, or the only one with rules. */
function relatedTag(rule: PolicyRule, own: readonly TaggedRule[]): Tag | undefined {
  const same = own.find(
    (tagged) =>
      tagged.rule.apiGroups?.includes(rule.apiGroups?.[0] ?? '') &&
      tagged.rule.resources?.some(
        (resource) => withoutSubresource(resource) === withoutSubresource(rule.resources?.[0]),
      ),
  );
  const sources = new Set(own.map(({ tag }) => tag.source));
  return same?.tag ?? (sources.size === 1 ? own[0]?.tag : undefined);
}

function withoutSubresource(resource = ''): string | undefined {
  return resource.split('/')[0];
}
