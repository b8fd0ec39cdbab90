import { groupBy } from '../group-by.ts';
import type { PolicyRule } from './policy-rule.ts';

type Field = keyof PolicyRule;

/** All fields but the last are compared, in this order, which is also the sort order of the rules. */
const fields: readonly Field[] = ['apiGroups', 'resources', 'resourceNames', 'nonResourceURLs', 'verbs'];

/**
 * Normalizes rules regardless of the order and grouping in which they were written. First there is one rule
 * per resource. Then rules that differ in only one list are joined: by verbs, then resources, groups and
 * URLs. This is controller-gen's order, which determines the result. Joining groups can create rules that
 * again differ only in their verbs. controller-gen keeps one of them at random; here they are joined, too.
 * The result is sorted.
 */
export function mergeRules(rules: readonly PolicyRule[]): PolicyRule[] {
  let merged = rules.flatMap((rule) =>
    rule.resources ? rule.resources.map((resource) => ({ ...rule, resources: [resource] })) : [rule],
  );
  merged = merged.map(normalize);
  for (const field of ['verbs', 'resources', 'apiGroups', 'nonResourceURLs', 'verbs'] as const)
    merged = joinBy(merged, field);
  return merged
    .map((rule) => (rule.verbs.includes('*') ? { ...rule, verbs: ['*'] } : rule))
    .toSorted((a, b) => (keyOf(a, 'verbs') < keyOf(b, 'verbs') ? -1 : 1));
}

function normalize(rule: PolicyRule): PolicyRule {
  const result: PolicyRule = { verbs: [] };
  for (const field of fields) {
    if (rule[field]) result[field] = [...new Set(rule[field])].toSorted();
  }
  return result;
}

/** Joins the rules that are equal in all lists but one. */
function joinBy(rules: readonly PolicyRule[], field: Field): PolicyRule[] {
  return [...groupBy(rules, (rule) => keyOf(rule, field)).values()].map((equal) => {
    if (equal.length === 1 || !equal[0]![field]) return equal[0]!;
    return normalize({ ...equal[0]!, [field]: equal.flatMap((rule) => rule[field]!) });
  });
}

function keyOf(rule: PolicyRule, except: Field): string {
  return fields
    .filter((field) => field !== except)
    .map((field) => (rule[field] ?? []).join('&'))
    .join(' + ');
}
