import { groupBy } from 'ots-apimachinery/group-by';
import { mergeRules } from 'ots-apimachinery/rbac/merge-rules';
import type { TaggedRule } from './read-rules.ts';

const managerRole = 'manager-role';

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
export function buildRoles(tagged: readonly TaggedRule[], namespaced: boolean): object[] {
  const rules = tagged.map(({ rule, namespace, roleName = managerRole }) => ({
    rule,
    key: { namespace, name: roleName } satisfies RoleKey,
  }));
  const grouped = groupBy(rules, ({ key }) => `${key.namespace}/${key.name}`);
  const roles = [...grouped.values()].map((members) => ({
    key: members[0]!.key,
    rules: mergeRules(members.map(({ rule }) => rule)),
  }));
  if (!grouped.has(`/${managerRole}`)) roles.push({ key: { namespace: '', name: managerRole }, rules: [] });
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
