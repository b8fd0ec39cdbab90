import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  ResourcePolicyRule,
  Subject,
} from 'ots-kubernetes/flowcontrol/v1';
import type { UserInfo } from '../authentication/user-info.ts';
import {
  type Attributes,
  type PathAttributes,
  type ResourceAttributes,
  isPath,
} from '../authorization/attributes.ts';

/** A rule of a FlowSchema: subjects, and what they ask for. */
export type FlowRule = NonNullable<FlowSchemaSpec['rules']>[number];

const accountPrefix = 'system:serviceaccount:';

export function isForSubject({ subjects }: FlowRule, user: UserInfo): boolean {
  return subjects.some((subject) => isSubject(subject, user));
}

function isSubject(
  { kind, user: named, group, serviceAccount }: Subject,
  { name, groups }: UserInfo,
): boolean {
  if (kind === 'User') return named?.name === '*' || named?.name === name;
  if (kind === 'Group') return group !== undefined && (group.name === '*' || groups.includes(group.name));
  if (!serviceAccount) return false;
  const prefix = `${accountPrefix}${serviceAccount.namespace}:`;
  return serviceAccount.name === '*' ? name.startsWith(prefix) : name === `${prefix}${serviceAccount.name}`;
}

/** Whether a rule matches whatever its subjects ask for, as that of administrators does. */
export function isForEverything({ resourceRules = [], nonResourceRules = [] }: FlowRule): boolean {
  return (
    resourceRules.some(
      ({ verbs, apiGroups, resources, namespaces = [], clusterScope }) =>
        clusterScope === true && [verbs, apiGroups, resources, namespaces].every(isWildcard),
    ) && nonResourceRules.some(({ verbs, nonResourceURLs }) => [verbs, nonResourceURLs].every(isWildcard))
  );
}

export function ruleMatches(rule: FlowRule, attributes: Attributes): boolean {
  return isPath(attributes)
    ? (rule.nonResourceRules ?? []).some((each) => matchesPath(each, attributes))
    : (rule.resourceRules ?? []).some((each) => matchesResource(each, attributes));
}

function matchesResource(
  { verbs, apiGroups, resources, namespaces = [], clusterScope = false }: ResourcePolicyRule,
  { verb, group, resource, subresource, namespace }: ResourceAttributes,
): boolean {
  const name = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    includes(verbs, verb) &&
    includes(resources, name) &&
    includes(apiGroups, group) &&
    (namespace === '' ? clusterScope : includes(namespaces, namespace))
  );
}

function matchesPath(
  { verbs, nonResourceURLs }: NonResourcePolicyRule,
  { verb, path }: PathAttributes,
): boolean {
  return (
    includes(verbs, verb) &&
    nonResourceURLs.some((url) => {
      const prefix = url.replace(/\*$/, '');
      return url === '*' || url === path || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
    })
  );
}

function includes(list: readonly string[], item: string): boolean {
  return isWildcard(list) || list.includes(item);
}

function isWildcard(list: readonly string[]): boolean {
  return list.length === 1 && list[0] === '*';
}
