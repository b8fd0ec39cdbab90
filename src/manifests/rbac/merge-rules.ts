import { groupBy } from '../group-by.ts';
import type { PolicyRule } from './policy-rule.ts';

type Field = keyof PolicyRule;

/** Everything but the last is compared, in this order; which is also the order of the rules. */
const fields: readonly Field[] = ['apiGroups', 'resources', 'resourceNames', 'nonResourceURLs', 'verbs'];

/**
 * Brings rules into one form, whatever the order and grouping they were written in: one resource a rule, then rules that differ in one
 * list only are joined, verbs first, then resources, groups and URLs: the order of controller-gen, which decides the outcome. Joining
 * groups can make rules that again differ in their verbs only, of which controller-gen keeps one at random; here they are joined too.
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
