import type { PolicyRule } from './policy-rule.ts';

/**
 * A rule as the tag that `ots manifests` reads, such as `@rbac groups=core resources=pods verbs=get;list`.
 *
 * @param namespace of a Role that is not in the operator's own namespace; empty otherwise
 */
export function rbacTag(rule: PolicyRule, namespace = ''): string {
  const groups = rule.apiGroups?.map((group) => group || 'core');
  const lists: [string, readonly string[] | undefined][] = [
    ['groups', groups],
    ['resources', rule.resources],
    ['resourceNames', rule.resourceNames],
    ['urls', rule.nonResourceURLs],
    ['namespace', namespace === '' ? [] : [namespace]],
    ['verbs', rule.verbs],
  ];
  const parts = lists.flatMap(([name, values = []]) =>
    values.length === 0 ? [] : [`${name}=${values.join(';')}`],
  );
  return `@rbac ${parts.join(' ')}`;
}
