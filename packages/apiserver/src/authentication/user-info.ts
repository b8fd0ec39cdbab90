/** Who sends a request. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What authenticators know beyond that, by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The group of users who may do everything, even without a role. */
export const mastersGroup = 'system:masters';
/** The group of nodes. */
export const nodesGroup = 'system:nodes';
export const authenticatedGroup = 'system:authenticated';
export const unauthenticatedGroup = 'system:unauthenticated';

/** The client without credentials where credentials are required. */
export const anonymous: UserInfo = { name: 'system:anonymous', groups: [unauthenticatedGroup] };

/** A user who has proven who they are, with the group that says so. */
export function authenticated(user: UserInfo): UserInfo {
  const isComplete =
    user.name === anonymous.name ||
    user.groups.some((group) => group === authenticatedGroup || group === unauthenticatedGroup);
  return isComplete ? user : { ...user, groups: [...user.groups, authenticatedGroup] };
}

/** The server itself, whose controllers write without asking. */
export const systemUser: UserInfo = {
  name: 'system:apiserver',
  groups: [mastersGroup, authenticatedGroup],
};

const serviceAccountPrefix = 'system:serviceaccount:';

/** The user that a ServiceAccount acts as. */
export function serviceAccountUser(namespace: string, name: string): string {
  return `${serviceAccountPrefix}${namespace}:${name}`;
}

/** The groups of every ServiceAccount in a namespace. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** The namespace and name of the ServiceAccount that a user is. Undefined for other users. */
export function serviceAccountOf(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace = '', name = '', ...rest] = user.slice(serviceAccountPrefix.length).split(':');
  return namespace === '' || name === '' || rest.length > 0 ? undefined : { namespace, name };
}
