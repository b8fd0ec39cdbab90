import { rbacTag } from 'ots-apimachinery/rbac/rbac-tag';

/** How kube-apiserver words it when no rule allows a request; others that deny with 403 word it otherwise. */
const unauthorizedResource = /cannot (\S+) resource "([^"]+)" in API group "([^"]*)"/;
const unauthorizedPath = /cannot (\S+) path "([^"]+)"/;

/**
 * The tag that grants what RBAC denied. Undefined when something else did.
 * @param message of the server.
 */
export function missingRule(message: string): string | undefined {
  const [, verb, resource = '', group = ''] = unauthorizedResource.exec(message) ?? [];
  if (verb !== undefined) {
    // A cache needs all three.
    const verbs = verb === 'list' || verb === 'watch' ? ['get', 'list', 'watch'] : [verb];
    return rbacTag({ apiGroups: [group], resources: [resource], verbs });
  }
  const [, method, path = ''] = unauthorizedPath.exec(message) ?? [];
  return method === undefined ? undefined : rbacTag({ nonResourceURLs: [path], verbs: [method] });
}
