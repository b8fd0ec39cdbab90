import type { PolicyRule } from 'ots-kubernetes/rbac/v1';
import { type UserInfo, mastersGroup } from '../authentication/user-info.ts';
import { type Attributes, type Decision, isPath } from './attributes.ts';
import type { RoleBindings } from './role-bindings.ts';
import { ruleAllows } from 'ots-apimachinery/rbac/rule-matching';

/** The rules that apply to a user, and the problems in finding them. */
export interface UserRules {
  readonly rules: readonly PolicyRule[];
  readonly problems: readonly string[];
}

/** Decides by the roles and role bindings in the server. */
export class RbacAuthorizer {
  readonly bindings: RoleBindings;

  constructor(bindings: RoleBindings) {
    this.bindings = bindings;
  }

  authorize(attributes: Attributes): Decision {
    const { user } = attributes;
    if (isMaster(user)) return { allowed: true, reason: '' };
    const problems: string[] = [];
    for (const { rules, description, problem } of this.bindings.rolesOf(user, namespaceOf(attributes))) {
      if (!rules) problems.push(problem);
      else if (rules.some((rule) => ruleAllows(rule, attributes)))
        return { allowed: true, reason: `RBAC: allowed by ${description}` };
    }
    return { allowed: false, reason: problems.length === 0 ? '' : `RBAC: ${aggregate(problems)}` };
  }

  /** @param namespace empty for the whole cluster */
  rulesFor(user: UserInfo, namespace: string): UserRules {
    const rules: PolicyRule[] = [];
    const problems: string[] = [];
    for (const role of this.bindings.rolesOf(user, namespace)) {
      if (role.rules) rules.push(...role.rules);
      else problems.push(role.problem);
    }
    return { rules, problems };
  }
}

/** Whether a user may do everything, even without a role. */
export function isMaster({ groups }: UserInfo): boolean {
  return groups.includes(mastersGroup);
}

function namespaceOf(attributes: Attributes): string {
  return isPath(attributes) ? '' : attributes.namespace;
}

/** Several errors, as Go lists them: each message once. */
export function aggregate(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
