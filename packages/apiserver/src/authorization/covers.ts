import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { PolicyRule } from 'ots-kubernetes/rbac/v1';
import { splitRule } from 'ots-apimachinery/rbac/split-rule';
import { includesOrAll, pathMatches, resourceMatches } from 'ots-apimachinery/rbac/rule-matching';

/**
 * The parts of some rules that other rules do not grant. A user may only give away what they have.
 *
 * @param held the rules of the user
 * @param wanted the rules to give
 * @returns rules of one verb and one resource or path each; empty if everything is held
 */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(splitRule).filter((part) => !held.some((rule) => covers(rule, part)));
}

/** Whether a rule grants all of a part. */
function covers(rule: PolicyRule, part: PolicyRule): boolean {
  const { nonResourceURLs = [], resourceNames = [] } = rule;
  if (!includesOrAll(rule.verbs, part.verbs[0] ?? '')) return false;
  const [path] = part.nonResourceURLs ?? [];
  if (path !== undefined) return nonResourceURLs.some((pattern) => pathMatches(pattern, path));
  const [name] = part.resourceNames ?? [];
  const [resource = '', subresource = ''] = part.resources?.[0]?.split('/') ?? [];
  return (
    includesOrAll(rule.apiGroups, part.apiGroups?.[0] ?? '') &&
    (rule.resources ?? []).some((pattern) => resourceMatches(pattern, resource, subresource)) &&
    (resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name)))
  );
}

/** Describes rules as kube-apiserver does: sorted, with the verbs of one resource together. */
export function describeRules(rules: readonly PolicyRule[]): string {
  return [...new Set(compact(rules).map(describeRule))].toSorted().join('\n');
}

/** Joins the rules that differ only in their verbs. Those of paths stay apart. */
function compact(rules: readonly PolicyRule[]): PolicyRule[] {
  const byResource = new Map<string, PolicyRule>();
  const joined: PolicyRule[] = [];
  for (const rule of rules) {
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const same = rule.nonResourceURLs ? undefined : byResource.get(key);
    if (same) {
      same.verbs.push(...rule.verbs);
      continue;
    }
    const copy = { ...rule, verbs: [...rule.verbs] };
    joined.push(copy);
    byResource.set(key, copy);
  }
  return joined;
}

function describeRule({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = [
    listed('APIGroups', apiGroups),
    listed('Resources', resources),
    listed('NonResourceURLs', nonResourceURLs),
    listed('ResourceNames', resourceNames),
    listed('Verbs', verbs),
  ];
  return `{${parts.filter((part) => part !== '').join(', ')}}`;
}

function listed(field: string, values: readonly string[] = []): string {
  return values.length === 0 ? '' : `${field}:${inGo(values)}`;
}

/** A list as Go's `%q` prints it. */
export function inGo(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}
