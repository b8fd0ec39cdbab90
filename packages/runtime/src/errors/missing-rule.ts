/** How kube-apiserver words it when no rule allows a request; others that deny with 403 word it otherwise. */
const unauthorizedResource = /cannot (\S+) resource "([^"]+)" in API group "([^"]*)"/;
const unauthorizedPath = /cannot (\S+) path "([^"]+)"/;

/**
 * The tag that grants what RBAC denied. Undefined when something else did.
 * @param message of the server.
 */
export function missingRule(message: string): string | undefined {
  const [, verb = '', resource = '', group = ''] = unauthorizedResource.exec(message) ?? [];
  if (verb !== '') {
    // A cache needs all three.
    const verbs = verb === 'list' || verb === 'watch' ? 'get;list;watch' : verb;
    return `@rbac groups=${group || 'core'} resources=${resource} verbs=${verbs}`;
  }
  const [, method = '', path = ''] = unauthorizedPath.exec(message) ?? [];
  return method === '' ? undefined : `@rbac urls=${path} verbs=${method}`;
}
