/**
 * Whom to act as. The server must allow the verb `impersonate` for all of it.
 * https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/
 */
export interface Impersonation {
  /** The name to act under. */
  user: string;
  /** The uid to act under; none by default. */
  uid?: string | undefined;
  /** The groups to be in; those of the server for every authenticated user by default. */
  groups?: string[] | undefined;
  /** Further attributes, by name; none by default. */
  extra?: Record<string, string[]> | undefined;
}
