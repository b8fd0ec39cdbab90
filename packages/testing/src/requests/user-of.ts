/** Whom a test connects as. */
export type Identity =
  | {
      /** The name of a ServiceAccount. It must exist. */
      serviceAccount: string;
      namespace: string;
    }
  | {
      /** The name of a user. It need not exist anywhere. */
      user: string;
      /** Default: only `system:authenticated`, which every user is in. */
      groups?: string[];
    };

/** The name by which the server knows an identity. */
export function userOf(identity: Identity): string {
  return 'user' in identity
    ? identity.user
    : `system:serviceaccount:${identity.namespace}:${identity.serviceAccount}`;
}
