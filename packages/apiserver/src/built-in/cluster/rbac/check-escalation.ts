import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { PolicyRule, RoleRef } from 'ots-kubernetes/rbac/v1';
import type { ResourceAttributes } from '../../../authorization/attributes.ts';
import { describeRules, inGo, missingRules } from '../../../authorization/covers.ts';
import { isMaster } from '../../../authorization/rbac-authorizer.ts';
import { resourceName } from '../../../registry/resource.ts';
import type { Writer } from '../../../registry/strategy.ts';
import { badRequest, forbidden, notFound } from '../../../status/errors.ts';
import { StatusError } from '../../../status/status-error.ts';

const group = 'rbac.authorization.k8s.io';

/** Everything, which only administrators of the cluster have. */
const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Refuses a role that grants more than its writer has, unless the writer may `escalate` it.
 *
 * @param aggregates whether the role takes over the rules of others, which only administrators may do
 * @throws {StatusError} 403
 */
export function checkRole(
  name: string,
  rules: readonly PolicyRule[],
  aggregates: boolean,
  writer: Writer,
): void {
  const { resource, name: nameInUrl } = writer.target;
  if (isMaster(writer.user) || mayDo(writer, 'escalate', resource.plural, nameInUrl)) return;
  const missing = missingFor(writer, rules);
  if (missing.length > 0) throw forbidden(resourceName(resource), name, explain(writer, missing));
  if (aggregates && missingFor(writer, everything).length > 0)
    throw forbidden(
      resourceName(resource),
      name,
      'must have cluster-admin privileges to use the aggregationRule',
    );
}

/**
 * Refuses a binding to a role that grants more than its writer has, unless the writer may `bind` the role.
 *
 * @throws {StatusError} 403; 404 when the role does not exist; 400 or 500 when it cannot exist
 */
export function checkBinding(name: string, roleRef: RoleRef, writer: Writer): void {
  const { user, target, authorizer } = writer;
  if (isMaster(user)) return;
  const plural = roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  if (mayDo(writer, 'bind', plural, roleRef.name)) return;
  if (roleRef.kind !== 'ClusterRole' && roleRef.kind !== 'Role')
    throw new StatusError(500, undefined, `unsupported role reference kind: ${goQuote(roleRef.kind)}`);
  if (roleRef.kind === 'Role' && target.namespace === '') throw badRequest('Namespace parameter required.');
  const rules = authorizer.rbac.bindings.rulesOf(roleRef, target.namespace);
  if (!rules) throw notFound(resourceName(target.resource), roleRef.name);
  const missing = missingFor(writer, rules);
  if (missing.length > 0) throw forbidden(resourceName(target.resource), name, explain(writer, missing));
}

function mayDo({ user, target, authorizer }: Writer, verb: string, resource: string, name: string): boolean {
  const { namespace } = target;
  const attributes: ResourceAttributes = {
    user,
    verb,
    group,
    version: 'v1',
    resource,
    subresource: '',
    namespace,
    name,
  };
  return authorizer.authorize(attributes).allowed;
}

function missingFor({ user, target, authorizer }: Writer, rules: readonly PolicyRule[]): PolicyRule[] {
  return missingRules(authorizer.rbac.rulesFor(user, target.namespace).rules, rules);
}

function explain({ user, target, authorizer }: Writer, missing: readonly PolicyRule[]): string {
  const { problems } = authorizer.rbac.rulesFor(user, target.namespace);
  const who = `user ${goQuote(user.name)} (groups=${inGo(user.groups)})`;
  const errors = problems.length === 0 ? '' : `; resolution errors: [${problems.join(' ')}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}${errors}`;
}
