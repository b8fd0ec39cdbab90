import { type JsonObject, isObject, textOf, valueOf } from '../bundle/json.ts';
import type { Collection } from './collection.ts';
import type { InputObject } from './input-object.ts';

/** The rights of a service account, as in a ClusterServiceVersion. */
interface Permissions {
  readonly serviceAccountName: string;
  readonly rules: readonly unknown[];
}

/** What the ClusterServiceVersion takes over from the RBAC objects, and what remains. */
export interface SplitPermissions {
  readonly permissions: readonly Permissions[];
  readonly clusterPermissions: readonly Permissions[];
  /** Objects that the bundle contains as files. */
  readonly remaining: readonly InputObject[];
}

/** A binding with the role that it names, if that role is in the input. */
interface Bound {
  readonly binding: InputObject;
  readonly role: InputObject | undefined;
  readonly accounts: readonly string[];
  /** Whether every subject is one of the accounts. */
  readonly isAbsorbed: boolean;
}

/**
 * Splits the RBAC objects: OLM makes the service accounts of the Deployments and their roles from the ClusterServiceVersion, so what
 * is bound to them goes there. A role may be bound to others, too; then its binding remains, whole.
 *
 * @param extra further service accounts whose rights go there
 */
export function splitPermissions(collection: Collection, extra: readonly string[]): SplitPermissions {
  const accounts = new Set([...collection.deployments.map(accountOf), ...extra]);
  const { roles, clusterRoles, serviceAccounts } = collection;
  const inNamespace = collection.roleBindings.map((binding) => bind(binding, roles, clusterRoles, accounts));
  const inCluster = collection.clusterRoleBindings.map((binding) =>
    bind(binding, [], clusterRoles, accounts),
  );
  const all = [...inNamespace, ...inCluster];
  const used = new Set(all.filter((bound) => bound.accounts.length > 0).map(({ role }) => role));
  return {
    permissions: permissionsOf(inNamespace),
    clusterPermissions: permissionsOf(inCluster),
    remaining: [
      ...[...roles, ...clusterRoles].filter((role) => !used.has(role)),
      ...all.filter(({ isAbsorbed }) => !isAbsorbed).map(({ binding }) => binding),
      ...serviceAccounts.filter(({ name }) => !accounts.has(name)),
    ],
  };
}

/** Every namespace has the service account `default`. */
function accountOf({ object }: InputObject): string {
  const pod = valueOf(valueOf(valueOf(object, 'spec'), 'template'), 'spec');
  return textOf(pod, 'serviceAccountName') || 'default';
}

function bind(
  binding: InputObject,
  roles: readonly InputObject[],
  clusterRoles: readonly InputObject[],
  accounts: ReadonlySet<string>,
): Bound {
  const reference = valueOf(binding.object, 'roleRef');
  const candidates = (textOf(reference, 'kind') === 'Role' ? roles : clusterRoles).filter(
    ({ kind, name }) => kind === textOf(reference, 'kind') && name === textOf(reference, 'name'),
  );
  const isRbac = ['', 'rbac.authorization.k8s.io'].includes(textOf(reference, 'apiGroup'));
  const role = isRbac
    ? (candidates.find(({ namespace }) => namespace === binding.namespace) ?? candidates.at(-1))
    : undefined;
  const subjects = subjectsOf(binding);
  const own = subjects.filter(
    (subject) => textOf(subject, 'kind') === 'ServiceAccount' && accounts.has(textOf(subject, 'name')),
  );
  return {
    binding,
    role,
    accounts: role ? own.map((subject) => textOf(subject, 'name')) : [],
    isAbsorbed: role !== undefined && own.length === subjects.length,
  };
}

function subjectsOf({ object }: InputObject): readonly JsonObject[] {
  const subjects = valueOf(object, 'subjects');
  return Array.isArray(subjects) ? subjects.filter(isObject) : [];
}

/** Sorted by service account, without those that have no rule. */
function permissionsOf(bounds: readonly Bound[]): Permissions[] {
  const rules = new Map<string, unknown[]>();
  for (const { accounts, role } of bounds)
    for (const account of accounts)
      rules.set(account, [...(rules.get(account) ?? []), ...rulesOf(role!.object)]);
  return [...rules]
    .filter(([, of]) => of.length > 0)
    .map(([serviceAccountName, of]) => ({ serviceAccountName, rules: of }))
    .toSorted((a, b) => (a.serviceAccountName < b.serviceAccountName ? -1 : 1));
}

function rulesOf(role: JsonObject): readonly unknown[] {
  const rules = valueOf(role, 'rules');
  return Array.isArray(rules) ? rules : [];
}
