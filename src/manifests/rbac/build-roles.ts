import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { groupBy } from 'ots-apimachinery/group-by';
import { parseArguments } from '../tag-syntax/parse-arguments.ts';
import type { ArgumentSpec, Arguments } from '../tag-syntax/parse-arguments.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { checkRule } from './check-rule.ts';
import { mergeRules } from 'ots-apimachinery/rbac/merge-rules';
import type { PolicyRule } from 'ots-apimachinery/rbac/policy-rule';

const argumentSpecs: readonly ArgumentSpec[] = [
  { name: 'groups', type: 'list' },
  { name: 'resources', type: 'list' },
  { name: 'resourceNames', type: 'list' },
  { name: 'urls', type: 'list' },
  { name: 'verbs', type: 'list', required: true },
  { name: 'namespace', type: 'string' },
  { name: 'roleName', type: 'string' },
];
const roleName = 'manager-role';

/** The role that receives the rules of a tag. A cluster-wide role has no namespace. */
interface RoleKey {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Builds the roles from the @rbac tags: one for each namespace and role name that the tags name, sorted by
 * both. Without a namespace it is a ClusterRole, or in a namespaced project a Role in the manager's
 * namespace. Without a name it is the manager's role. The manager's role exists even without rules, because
 * its binding refers to it. The author binds the other roles.
 */
export function buildRoles(tags: readonly Tag[], namespaced: boolean, diagnostics: Diagnostics): object[] {
  const rules: { key: RoleKey; rule: PolicyRule }[] = [];
  for (const tag of tags) {
    const args = parseArguments(tag, argumentSpecs, diagnostics);
    if (!args || !checkRule(tag, args, namespaced, diagnostics)) continue;
    const key = { namespace: args.string('namespace') ?? '', name: args.string('roleName') ?? roleName };
    rules.push({ key, rule: toRule(args) });
  }
  const grouped = groupBy(rules, ({ key }) => `${key.namespace}/${key.name}`);
  const roles = [...grouped.values()].map((members) => ({
    key: members[0]!.key,
    rules: mergeRules(members.map(({ rule }) => rule)),
  }));
  if (!grouped.has(`/${roleName}`)) roles.push({ key: { namespace: '', name: roleName }, rules: [] });
  return roles.toSorted(compareRoles).map(({ key: { namespace, name }, rules: merged }) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: namespaced || namespace ? 'Role' : 'ClusterRole',
    metadata: { name, ...(namespace ? { namespace } : {}) },
    rules: merged,
  }));
}

function compareRoles({ key: a }: { key: RoleKey }, { key: b }: { key: RoleKey }): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function toRule(args: Arguments): PolicyRule {
  const rule: PolicyRule = { verbs: [...args.list('verbs')!] };
  const groups = args.list('groups')?.map((group) => (group === 'core' ? '' : group));
  if (groups) rule.apiGroups = groups;
  for (const [argument, field] of [
    ['resources', 'resources'],
    ['resourceNames', 'resourceNames'],
    ['urls', 'nonResourceURLs'],
  ] as const) {
    const values = args.list(argument);
    if (values) rule[field] = [...values];
  }
  return rule;
}
