import { rbacTag } from 'ots-apimachinery/rbac/rbac-tag';
import type { RecordedRequest } from 'ots-apiserver';
import { type Account, type Grant, type ReadPath, findGrants, isUsed } from 'ots-testing/tools';
import type { RightsState } from '../model/dev-state.ts';

/** What an operator may do, beside what it did. Requests that ask for the same right count once. */
export class RightsRecord {
  readonly #allowed = new Map<string, RecordedRequest>();
  readonly #denied = new Map<string, { rule: string; count: number }>();
  #grants: readonly Grant[] = [];

  /** Reads what the roles grant now. @param cluster reads as an administrator */
  async read(cluster: ReadPath, account: Account): Promise<void> {
    this.#grants = await findGrants(cluster, account);
    // A denial of the past may be granted now.
    this.#denied.clear();
  }

  /** @returns whether the record has changed */
  add(request: RecordedRequest): boolean {
    const { verb, group, resource, subresource, namespace, name, path, code } = request;
    const key = JSON.stringify([verb, group, resource, subresource, namespace, name, path, code === 201]);
    if (isDenied(request)) {
      const rule = missingRule(request);
      this.#denied.set(rule, { rule, count: (this.#denied.get(rule)?.count ?? 0) + 1 });
      return true;
    }
    if (this.#allowed.has(key)) return false;
    this.#allowed.set(key, request);
    return true;
  }

  get state(): RightsState {
    const requests = [...this.#allowed.values()];
    return {
      granted: this.#grants.map((grant) => ({
        role: grant.role,
        rule: rbacTag(grant.rule),
        isUsed: isUsed(grant, requests),
      })),
      missing: [...this.#denied.values()],
    };
  }
}

/** Whether RBAC refused it, and not admission. */
function isDenied({ code, annotations }: RecordedRequest): boolean {
  return code === 403 && annotations['authorization.k8s.io/decision'] === 'forbid';
}

function missingRule({ verb, group, resource, subresource, path }: RecordedRequest): string {
  if (path !== '') return rbacTag({ nonResourceURLs: [path], verbs: [verb] });
  // A cache needs all three.
  const verbs = verb === 'list' || verb === 'watch' ? ['get', 'list', 'watch'] : [verb];
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return rbacTag({ apiGroups: [group], resources: [full], verbs });
}
