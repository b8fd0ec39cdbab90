import { type Manifest, describeManifest, find, ofKind } from './manifest.ts';
import { podsOf } from './pods.ts';

/** What an operator needs rights for. */
export interface Rights {
  /** The kinds that have a controller. */
  readonly watched: readonly { readonly group: string; readonly plural: string }[];
  /** Whether the operator works in its own namespace only. */
  readonly namespaced: boolean;
}

const roleKinds = ['Role', 'ClusterRole'];
const bindingKinds = ['RoleBinding', 'ClusterRoleBinding'];
const watchVerbs = ['get', 'list', 'watch'];
/** Groups that have cluster-wide resources only. Cluster-wide rights for other groups need the names of objects. */
const clusterWideGroups = ['authentication.k8s.io', 'authorization.k8s.io'];

/** Roles have no wildcards, bindings refer to existing objects, and the manager can watch what it reconciles where it does. */
export function checkRbac(all: readonly Manifest[], { watched, namespaced }: Rights): string[] {
  const cluster = rulesOfManager(all, 'ClusterRoleBinding');
  const local = rulesOfManager(all, 'RoleBinding');
  const rules = namespaced ? local : cluster;
  const missing = watched.flatMap(({ group, plural }) => {
    const verbs = forbidden(rules, { group, plural, verbs: watchVerbs });
    return verbs.length > 0 ? `the manager may not ${verbs.join(', ')} ${plural}.${group}` : [];
  });
  const tooMuch = cluster
    .flatMap(({ apiGroups, resourceNames }) => (resourceNames ? [] : (apiGroups ?? [])))
    .filter((group: string) => namespaced && !clusterWideGroups.includes(group))
    .map((group: string) => `the manager has rights for ${group} in the whole cluster`);
  return [...checkWildcards(all), ...checkBindings(all), ...missing, ...tooMuch];
}

function checkWildcards(all: readonly Manifest[]): string[] {
  return all
    .filter(({ kind, rules }) => roleKinds.includes(kind) && JSON.stringify(rules).includes('*'))
    .map((role) => `${describeManifest(role)} has a wildcard`);
}

function checkBindings(all: readonly Manifest[]): string[] {
  return all
    .filter(({ kind }) => bindingKinds.includes(kind))
    .flatMap((binding) => {
      const { metadata, roleRef, subjects } = binding;
      const role = find(
        all,
        roleRef.kind,
        roleRef.name,
        roleRef.kind === 'Role' ? metadata.namespace : undefined,
      );
      const missing = subjects.filter(({ kind, name, namespace }: any) => !find(all, kind, name, namespace));
      return [
        ...(role
          ? []
          : [`${describeManifest(binding)} binds ${roleRef.kind} ${roleRef.name}, which does not exist`]),
        ...missing.map(
          (subject: any) =>
            `${describeManifest(binding)} is for ${subject.namespace}/${subject.name}, who does not exist`,
        ),
      ];
    });
}

/** What the accounts of the pods may do through one kind of binding. */
export function rulesOfManager(all: readonly Manifest[], bindingKind: string): any[] {
  const accounts = new Set(
    podsOf(all).map(({ namespace, spec }) => `${namespace}/${spec.serviceAccountName}`),
  );
  return ofKind(all, bindingKind)
    .filter(({ subjects }) =>
      subjects.some(({ namespace, name }: any) => accounts.has(`${namespace}/${name}`)),
    )
    .flatMap(({ metadata, roleRef }) => {
      const namespace = roleRef.kind === 'Role' ? metadata.namespace : undefined;
      return find(all, roleRef.kind, roleRef.name, namespace)?.['rules'] ?? [];
    });
}

/** Requests for a resource: all objects of it, or one. */
export interface Requests {
  readonly group: string;
  readonly plural: string;
  readonly name?: string;
  readonly verbs: readonly string[];
}

/** Those of the verbs that no rule allows. */
export function forbidden(rules: readonly any[], { group, plural, name, verbs }: Requests): string[] {
  const allows = ({ apiGroups, resources, resourceNames, verbs: allowed }: any, verb: string): boolean =>
    apiGroups?.includes(group) &&
    resources?.includes(plural) &&
    (!resourceNames || resourceNames.includes(name)) &&
    allowed.includes(verb);
  return verbs.filter((verb) => !rules.some((rule) => allows(rule, verb)));
}
