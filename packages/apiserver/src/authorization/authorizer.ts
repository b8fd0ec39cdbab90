import type { UserInfo } from '../authentication/user-info.ts';
import type { Attributes, Decision } from './attributes.ts';
import { type NodeAuthorizer, nodeOf } from './node-authorizer.ts';
import { type RbacAuthorizer, type UserRules, isMaster } from './rbac-authorizer.ts';

/** Decides what users may do: everything for `system:masters`, for nodes what their pods need, and what roles allow. */
export class Authorizer {
  readonly rbac: RbacAuthorizer;
  readonly #nodes: NodeAuthorizer;

  constructor(nodes: NodeAuthorizer, rbac: RbacAuthorizer) {
    this.#nodes = nodes;
    this.rbac = rbac;
  }

  authorize(attributes: Attributes): Decision {
    if (isMaster(attributes.user)) return { allowed: true, reason: '' };
    const asNode = this.#nodes.authorize(attributes);
    if (asNode?.allowed) return asNode;
    const decision = this.rbac.authorize(attributes);
    if (decision.allowed || !asNode) return decision;
    const reasons = [asNode.reason, decision.reason].filter((reason) => reason !== '');
    return { allowed: false, reason: reasons.join('\n') };
  }

  /**
   * The rules that apply to a user, as far as there are rules: what a node may do depends on its pods.
   *
   * @param namespace empty for the whole cluster
   */
  rulesFor(user: UserInfo, namespace: string): UserRules & { readonly isIncomplete: boolean } {
    const { rules, problems } = this.rbac.rulesFor(user, namespace);
    if (nodeOf(user) === undefined) return { rules, problems, isIncomplete: false };
    const problem = 'node authorizer does not support user rule resolution';
    return { rules, problems: [problem, ...problems], isIncomplete: true };
  }
}
