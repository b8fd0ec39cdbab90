import type { PolicyRule, RoleBinding, RoleRef, Subject } from 'ots-kubernetes/rbac/v1';
import { type UserInfo, serviceAccountUser } from '../authentication/user-info.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { Table } from '../storage/table.ts';
import { notFound } from '../status/errors.ts';

/** A role that a user has through a binding, or that the binding names in vain. */
export interface BoundRole {
  /** The rules of the role. Undefined if the role does not exist. */
  readonly rules: readonly PolicyRule[] | undefined;
  /** How the user has it, such as `ClusterRoleBinding "a" of ClusterRole "b" to User "c"`. */
  readonly description: string;
  /** Why there are no rules. */
  readonly problem: string;
}

interface Entry {
  readonly roleRef: RoleRef;
  readonly subject: Subject;
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly name: string;
}

const group = 'rbac.authorization.k8s.io';

/**
 * Finds the roles of a user. It keeps all bindings indexed by subject, because there may be many of them and each
 * request asks.
 */
export class RoleBindings {
  readonly #roles: Table;
  readonly #clusterRoles: Table;
  readonly #bindings: readonly Table[];
  #bySubject: Map<string, Entry[]> | undefined;

  constructor(registry: ResourceRegistry) {
    const table = (plural: string) => {
      const resource = registry.find(group, 'v1', plural);
      if (!resource) throw new Error(`the table of built-in resources lacks ${plural}`);
      return resource.table;
    };
    this.#roles = table('roles');
    this.#clusterRoles = table('clusterroles');
    this.#bindings = [table('clusterrolebindings'), table('rolebindings')];
    for (const bindings of this.#bindings) bindings.subscribers.add('', () => (this.#bySubject = undefined));
  }

  /**
   * The roles that apply to a user in a namespace: those bound in the whole cluster, then those bound in the namespace.
   *
   * @param namespace empty for requests outside of namespaces
   */
  *rolesOf(user: UserInfo, namespace: string): Generator<BoundRole> {
    const bySubject = (this.#bySubject ??= this.#index());
    const keys = [userKey(user.name), ...user.groups.map(groupKey)];
    const inNamespace: Entry[] = [];
    const seen = new Set<string>();
    for (const key of keys) {
      for (const entry of bySubject.get(key) ?? []) {
        // A binding counts once, even if it names the user twice.
        const id = `${entry.namespace}/${entry.name}`;
        if (seen.has(id)) continue;
        if (entry.namespace === '') yield this.#boundRole(entry);
        else if (entry.namespace === namespace) inNamespace.push(entry);
        else continue;
        seen.add(id);
      }
    }
    for (const entry of inNamespace) yield this.#boundRole(entry);
  }

  /** The rules of the role that a binding refers to. Undefined if the role does not exist. @param namespace that of the binding */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const record =
      kind === 'ClusterRole' ? this.#clusterRoles.get(name) : this.#roles.get(`${namespace}/${name}`);
    if (!record) return undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored roles are decoded and valid
    return (record.object['rules'] as readonly PolicyRule[] | null | undefined) ?? [];
  }

  #boundRole(entry: Entry): BoundRole {
    const { roleRef, namespace } = entry;
    const rules = this.rulesOf(roleRef, namespace);
    const problem = rules
      ? ''
      : notFound({ group, name: roleRef.kind.toLowerCase() }, roleRef.name).status.message;
    return { rules, description: describe(entry), problem };
  }

  #index(): Map<string, Entry[]> {
    const index = new Map<string, Entry[]>();
    for (const { object } of this.#bindings.flatMap((table) => table.list())) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored bindings are decoded and valid
      const { metadata, roleRef, subjects } = object as unknown as RoleBinding;
      const { namespace = '', name = '' } = metadata ?? {};
      for (const subject of subjects ?? []) {
        const key = keyOf(subject, namespace);
        const entries = index.get(key) ?? [];
        entries.push({ roleRef, subject, namespace, name });
        index.set(key, entries);
      }
    }
    return index;
  }
}

/** A ServiceAccount without a namespace is one of the binding's namespace. */
function keyOf({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind === 'Group') return groupKey(name);
  if (kind === 'User') return userKey(name);
  return userKey(serviceAccountUser(namespace || bindingNamespace, name));
}

function userKey(name: string): string {
  return `User ${name}`;
}

function groupKey(name: string): string {
  return `Group ${name}`;
}

function describe({ roleRef, subject, namespace, name }: Entry): string {
  const binding =
    namespace === '' ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
  const to =
    subject.kind === 'ServiceAccount'
      ? quote(`${subject.name}/${subject.namespace || namespace}`)
      : quote(subject.name);
  return `${binding} of ${roleRef.kind} ${quote(roleRef.name)} to ${subject.kind} ${to}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
