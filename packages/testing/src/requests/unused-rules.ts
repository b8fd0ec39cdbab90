import { groupBy } from 'ots-apimachinery/group-by';
import { mergeRules } from 'ots-apimachinery/rbac/merge-rules';
import { rbacTag } from 'ots-apimachinery/rbac/rbac-tag';
import { ruleAllows } from 'ots-apimachinery/rbac/rule-matching';
import { splitRule } from 'ots-apimachinery/rbac/split-rule';
import { type Connection, type RecordedRequest, send } from 'ots-apiserver';
import type { PolicyRule, RoleBinding, RoleRef } from 'ots-kubernetes/rbac/v1';
import { rightsUsedBy } from './rights-used.ts';

/** A rule that no request used. */
export interface UnusedRule {
  /** What grants it, such as `ClusterRole manager-role` or `Role leader-election-role`. */
  readonly role: string;
  /** The rule as a tag, such as `@rbac groups=apps resources=deployments verbs=delete`. */
  readonly rule: string;
}

/** A ServiceAccount. */
export interface Account {
  readonly serviceAccount: string;
  readonly namespace: string;
}

/** A part of a rule that a binding grants. */
export interface Grant {
  readonly role: string;
  /** Where it applies; empty for the whole cluster. */
  readonly namespace: string;
  /** One verb of one resource or path. */
  readonly rule: PolicyRule;
}

const api = '/apis/rbac.authorization.k8s.io/v1';

/**
 * The rules that bindings grant to a ServiceAccount by its name, and that none of its requests used. Rules that it has as a
 * member of a group do not count: those of every ServiceAccount.
 *
 * @param requests all of the account's
 */
export async function findUnusedRules(
  administrator: Connection,
  account: Account,
  requests: readonly RecordedRequest[],
): Promise<UnusedRule[]> {
  const read = async (path: string) => (await send(administrator, 'GET', path)).body;
  const grants = await findGrants(read, account);
  const unused = grants.filter((grant) => !isUsed(grant, requests));
  const byRole = groupBy(unused, ({ role, namespace }) => `${role}/${namespace}`);
  return [...byRole.values()].flatMap((members) => {
    const { role, namespace } = members[0]!;
    const elsewhere = namespace === account.namespace ? '' : namespace;
    const merged = mergeRules(members.map(({ rule }) => rule));
    return merged.map((rule) => ({ role, rule: rbacTag(rule, elsewhere) }));
  });
}

/** Sends a GET request to a path of the API server as an administrator. Resolves to the body: a Status where there is nothing. */
export type ReadPath = (path: string) => Promise<unknown>;

/** What bindings grant to a ServiceAccount by its name, split into one verb of one resource or path each. */
export async function findGrants(read: ReadPath, account: Account): Promise<Grant[]> {
  const bindings = await Promise.all([
    list(read, `${api}/clusterrolebindings`),
    list(read, `${api}/rolebindings`),
  ]);
  const own = bindings.flat().filter((binding) => isFor(binding, account));
  return (await Promise.all(own.map((binding) => grantsOf(read, binding)))).flat();
}

/** Whether one of the requests of an account used what it was granted. */
export function isUsed({ namespace, rule }: Grant, requests: readonly RecordedRequest[]): boolean {
  return requests
    .flatMap(rightsUsedBy)
    .some(
      ({ path, ...request }) =>
        (namespace === '' || namespace === request.namespace) &&
        ruleAllows(rule, path === '' ? request : { verb: request.verb, path }),
    );
}

function isFor({ metadata, subjects = [] }: RoleBinding, { serviceAccount, namespace }: Account): boolean {
  return subjects.some(
    (subject) =>
      (subject.kind === 'ServiceAccount' &&
        subject.name === serviceAccount &&
        (subject.namespace || metadata?.namespace) === namespace) ||
      (subject.kind === 'User' && subject.name === `system:serviceaccount:${namespace}:${serviceAccount}`),
  );
}

async function grantsOf(read: ReadPath, { metadata, roleRef }: RoleBinding): Promise<Grant[]> {
  const namespace = metadata?.namespace ?? '';
  const role = `${roleRef.kind} ${roleRef.name}`;
  const rules = await rulesOf(read, roleRef, namespace);
  return rules.flatMap(splitRule).map((rule) => ({ role, namespace, rule }));
}

/** A binding may name a role that does not exist: it grants nothing. */
async function rulesOf(read: ReadPath, { kind, name }: RoleRef, namespace: string): Promise<PolicyRule[]> {
  const path = kind === 'Role' ? `namespaces/${encodeURIComponent(namespace)}/roles` : 'clusterroles';
  const body = await read(`${api}/${path}/${encodeURIComponent(name)}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of the API; a Status has no rules
  return (body as { rules?: PolicyRule[] | null }).rules ?? [];
}

async function list(read: ReadPath, path: string): Promise<RoleBinding[]> {
  const body = await read(path);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of the API
  return (body as { items: RoleBinding[] }).items;
}
