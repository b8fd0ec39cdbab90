/** Tags, without their name, and the roles that they make. */
export interface AcceptedRoles {
  readonly name: string;
  readonly tags: readonly string[];
  readonly namespaced?: true;
  /** Each with `metadata.name`, which is the namespace and a slash before it where there is one. */
  readonly roles: readonly {
    readonly kind: string;
    readonly name: string;
    readonly rules: readonly object[];
  }[];
}

const managerRole = (...rules: object[]) => [{ kind: 'ClusterRole', name: 'manager-role', rules }];

export const acceptedRoles: readonly AcceptedRoles[] = [
  {
    name: 'one rule',
    tags: ['groups=apps resources=deployments verbs=get;list'],
    roles: managerRole({ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] }),
  },
  {
    name: 'an object',
    tags: ['{groups: [apps], resources: [deployments], verbs: [get, list]}'],
    roles: managerRole({ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] }),
  },
  {
    name: 'commas, in any case',
    tags: ['GROUPS=apps,resources=deployments,verbs=get;list'],
    roles: managerRole({ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] }),
  },
  {
    name: 'the core group by two names',
    tags: ['groups=core resources=pods verbs=get', 'groups="" resources=pods verbs=list'],
    roles: managerRole({ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }),
  },
  {
    name: 'equal rules with other verbs',
    tags: ['groups=a resources=x verbs=get', 'groups=a resources=x verbs=list;get'],
    roles: managerRole({ apiGroups: ['a'], resources: ['x'], verbs: ['get', 'list'] }),
  },
  {
    name: 'resources with equal verbs',
    tags: ['groups=a resources=y verbs=get', 'groups=a resources=x verbs=get'],
    roles: managerRole({ apiGroups: ['a'], resources: ['x', 'y'], verbs: ['get'] }),
  },
  {
    name: 'groups with equal resources and verbs',
    tags: ['groups=b resources=x verbs=get', 'groups=a resources=x verbs=get'],
    roles: managerRole({ apiGroups: ['a', 'b'], resources: ['x'], verbs: ['get'] }),
  },
  {
    name: 'groups that become equal',
    tags: [
      'groups=a resources=x verbs=get',
      'groups=b resources=x verbs=get',
      'groups=a;b resources=x verbs=list',
    ],
    roles: managerRole({ apiGroups: ['a', 'b'], resources: ['x'], verbs: ['get', 'list'] }),
  },
  {
    name: 'urls',
    tags: ['urls=/healthz verbs=get', 'urls=/metrics verbs=get', 'urls=/logs/* verbs=head;post'],
    roles: managerRole(
      { nonResourceURLs: ['/healthz', '/metrics'], verbs: ['get'] },
      { nonResourceURLs: ['/logs/*'], verbs: ['head', 'post'] },
    ),
  },
  {
    name: 'all urls',
    tags: ["{urls: ['*'], verbs: ['*']}"],
    roles: managerRole({ nonResourceURLs: ['*'], verbs: ['*'] }),
  },
  {
    name: 'resources of one tag, one of which has more verbs',
    tags: ['groups=a resources=x;y verbs=get', 'groups=a resources=y verbs=list'],
    roles: managerRole(
      { apiGroups: ['a'], resources: ['x'], verbs: ['get'] },
      { apiGroups: ['a'], resources: ['y'], verbs: ['get', 'list'] },
    ),
  },
  {
    name: 'names, which keep rules apart',
    tags: ['groups=a resources=x verbs=get resourceNames=n', 'groups=a resources=x verbs=get'],
    roles: managerRole(
      { apiGroups: ['a'], resources: ['x'], verbs: ['get'] },
      { apiGroups: ['a'], resources: ['x'], resourceNames: ['n'], verbs: ['get'] },
    ),
  },
  {
    name: 'a star for verbs',
    tags: ['groups=a resources=x verbs=get;*'],
    roles: managerRole({ apiGroups: ['a'], resources: ['x'], verbs: ['*'] }),
  },
  {
    name: 'stars for everything, and a subresource of everything',
    tags: ['groups=* resources=* verbs=*', "groups='*' resources=*\\/scale verbs=get;update"],
    roles: managerRole(
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { apiGroups: ['*'], resources: ['*/scale'], verbs: ['get', 'update'] },
    ),
  },
  {
    name: 'a verb of a group of its own',
    tags: ['groups=a resources=x verbs=frobnicate'],
    roles: managerRole({ apiGroups: ['a'], resources: ['x'], verbs: ['frobnicate'] }),
  },
  {
    name: 'any order',
    tags: [
      'groups=b resources=x verbs=get',
      'groups=a resources=z verbs=list',
      'groups=a resources=y verbs=watch',
    ],
    roles: managerRole(
      { apiGroups: ['a'], resources: ['y'], verbs: ['watch'] },
      { apiGroups: ['a'], resources: ['z'], verbs: ['list'] },
      { apiGroups: ['b'], resources: ['x'], verbs: ['get'] },
    ),
  },
  { name: 'nothing', tags: [], roles: managerRole() },
  {
    name: 'a namespace',
    tags: ['groups=a resources=x verbs=get', 'groups=a resources=x verbs=list namespace=default'],
    roles: [
      ...managerRole({ apiGroups: ['a'], resources: ['x'], verbs: ['get'] }),
      {
        kind: 'Role',
        name: 'default/manager-role',
        rules: [{ apiGroups: ['a'], resources: ['x'], verbs: ['list'] }],
      },
    ],
  },
  {
    name: 'names of their own, by namespace and then by name',
    tags: [
      'groups=a resources=x verbs=get roleName=z namespace=default',
      'groups=a resources=x verbs=list roleName=z',
      'groups=a resources=x verbs=watch roleName=z namespace=default',
      'groups=a resources=x verbs=create roleName=system:a',
      'groups=a resources=x verbs=create namespace=default',
    ],
    roles: [
      ...managerRole(),
      {
        kind: 'ClusterRole',
        name: 'system:a',
        rules: [{ apiGroups: ['a'], resources: ['x'], verbs: ['create'] }],
      },
      { kind: 'ClusterRole', name: 'z', rules: [{ apiGroups: ['a'], resources: ['x'], verbs: ['list'] }] },
      {
        kind: 'Role',
        name: 'default/manager-role',
        rules: [{ apiGroups: ['a'], resources: ['x'], verbs: ['create'] }],
      },
      {
        kind: 'Role',
        name: 'default/z',
        rules: [{ apiGroups: ['a'], resources: ['x'], verbs: ['get', 'watch'] }],
      },
    ],
  },
  {
    name: 'a namespaced project',
    namespaced: true,
    tags: ['groups=a resources=x verbs=get', 'groups=a resources=x verbs=list roleName=z'],
    roles: [
      { kind: 'Role', name: 'manager-role', rules: [{ apiGroups: ['a'], resources: ['x'], verbs: ['get'] }] },
      { kind: 'Role', name: 'z', rules: [{ apiGroups: ['a'], resources: ['x'], verbs: ['list'] }] },
    ],
  },
];
