/** A @rbac tag, without its name, and what is said of it. */
export interface RefusedRole {
  readonly name: string;
  readonly tag: string;
  readonly namespaced?: true;
  /** Where the error points: the source begins with this there. */
  readonly at: string;
  readonly message: string;
  readonly hint?: RegExp;
  /** What would have been generated, which the API server refuses too; otherwise the rule would just never match. */
  readonly refusedRole?: object;
}

const rule = { apiGroups: ['a'], resources: ['x'], verbs: ['get'] };
const inNamespace = { kind: 'Role', metadata: { name: 'r', namespace: 'default' } };

export const refusedRoles: readonly RefusedRole[] = [
  {
    name: 'no verbs',
    tag: 'groups=a resources=x',
    at: '@rbac',
    message: '@rbac: verbs is missing',
    refusedRole: { rules: [{ ...rule, verbs: [] }] },
  },
  {
    name: 'no resources',
    tag: 'groups=a verbs=get',
    at: 'groups',
    message: 'the rule has neither resources nor urls',
    hint: /add resources=/,
    refusedRole: { rules: [{ apiGroups: ['a'], verbs: ['get'] }] },
  },
  {
    name: 'no groups',
    tag: 'resources=x verbs=get',
    at: 'resources',
    message: 'the rule has no API groups for its resources',
    hint: /groups=""/,
    refusedRole: { rules: [{ resources: ['x'], verbs: ['get'] }] },
  },
  {
    name: 'a misspelled argument',
    tag: 'group=a resources=x verbs=get',
    at: 'group=',
    message: '@rbac: unknown argument group',
    hint: /did you mean groups\?/,
  },
  {
    name: 'a misspelled verb',
    tag: 'groups=a resources=x verbs=get;lsit',
    at: 'verbs',
    message: 'unknown verb lsit',
    hint: /did you mean list\?/,
  },
  {
    name: 'a verb in upper case',
    tag: 'groups=a resources=x verbs=GET',
    at: 'verbs',
    message: 'unknown verb GET',
    hint: /did you mean get\?/,
  },
  {
    name: 'a verb of its own in upper case',
    tag: 'groups=a resources=x verbs=Frobnicate',
    at: 'verbs',
    message: 'the verb Frobnicate would never match',
    hint: /lower case/,
  },
  {
    name: 'an empty verb',
    tag: 'groups=a resources=x verbs=',
    at: 'verbs',
    message: 'verbs has an empty item',
  },
  {
    name: 'verbs with blanks between',
    tag: 'groups=a resources=x verbs=get list',
    at: 'verbs',
    message: "verbs has the item 'get list'",
    hint: /semicolons/,
  },
  {
    name: 'a group with its version',
    tag: 'groups=apps/v1 resources=deployments verbs=get',
    at: 'groups',
    message: 'unknown group apps/v1',
    hint: /without its version: apps/,
  },
  {
    name: 'a kind for a resource',
    tag: 'groups=apps resources=Deployment verbs=get',
    at: 'resources',
    message: 'unknown resource Deployment',
    hint: /plurals in lower case/,
  },
  {
    name: 'an empty resource name',
    tag: '{groups: [a], resources: [x], resourceNames: [""], verbs: [get]}',
    at: 'resourceNames',
    message: 'resourceNames has an empty item',
  },
  {
    name: 'urls and resources',
    tag: 'groups=a resources=x urls=/x verbs=get',
    at: 'urls',
    message: 'a rule cannot have both resources and urls',
    hint: /two tags/,
    refusedRole: { rules: [{ ...rule, nonResourceURLs: ['/x'] }] },
  },
  {
    name: 'urls and groups',
    tag: 'groups=a urls=/x verbs=get',
    at: 'urls',
    message: 'a rule about urls has no groups or resourceNames',
    refusedRole: { rules: [{ apiGroups: ['a'], nonResourceURLs: ['/x'], verbs: ['get'] }] },
  },
  {
    name: 'urls that are not paths',
    tag: 'urls=healthz verbs=get',
    at: 'urls',
    message: "'healthz' is not a path",
    hint: /slash/,
  },
  {
    name: 'a star within a url',
    tag: 'urls=/a/*\\/b verbs=get',
    at: 'urls',
    message: "'/a/*/b' would never match",
    hint: /only at the end/,
  },
  {
    name: 'a verb that urls do not have',
    tag: 'urls=/a verbs=list',
    at: 'verbs',
    message: 'unknown verb list for urls',
    hint: /get, post/,
  },
  {
    name: 'urls in a namespace',
    tag: 'urls=/healthz verbs=get namespace=infra',
    at: 'urls',
    message: 'a Role cannot grant urls, because they are not namespaced',
    refusedRole: { ...inNamespace, rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] },
  },
  {
    name: 'urls in a namespaced project',
    tag: 'urls=/healthz verbs=get',
    namespaced: true,
    at: 'urls',
    message: 'a Role cannot grant urls, because they are not namespaced',
  },
  {
    name: 'a namespace that is none',
    tag: 'groups=a resources=x verbs=get namespace=In_fra',
    at: 'namespace',
    message: "'In_fra' is not the name of a namespace",
    hint: /upper-case letters/,
  },
  {
    name: 'an empty namespace',
    tag: 'groups=a resources=x verbs=get namespace=""',
    at: 'namespace',
    message: "'' is not the name of a namespace",
  },
  {
    name: 'a role name with a slash',
    tag: 'groups=a resources=x verbs=get roleName=a/b',
    at: 'roleName',
    message: "'a/b' is not the name of a role",
    refusedRole: { metadata: { name: 'a/b' }, rules: [rule] },
  },
  {
    name: 'a role name of two dots',
    tag: 'groups=a resources=x verbs=get roleName=..',
    at: 'roleName',
    message: "'..' is not the name of a role",
    refusedRole: { metadata: { name: '..' }, rules: [rule] },
  },
  {
    name: 'an empty role name',
    tag: 'groups=a resources=x verbs=get roleName=""',
    at: 'roleName',
    message: "'' is not the name of a role",
    refusedRole: { metadata: { name: '' }, rules: [rule] },
  },
  {
    name: 'open quotes',
    tag: 'groups="a resources=x verbs=get',
    at: '"a',
    message: '@rbac: unclosed quotes',
  },
  // Names that Kubernetes does not have.
  {
    name: 'a singular',
    tag: `groups=core resources=pod verbs=get`,
    at: 'resources',
    message: 'unknown resource pod in core',
    hint: /did you mean pods\?/,
  },
  {
    name: 'a misspelled resource',
    tag: `groups=apps resources=deplyments verbs=get`,
    at: 'resources',
    message: 'unknown resource deplyments in apps',
    hint: /did you mean deployments\?/,
  },
  {
    name: 'a kind in lower case',
    tag: `groups=networking.k8s.io resources=networkpolicy verbs=get`,
    at: 'resources',
    message: 'unknown resource networkpolicy in networking.k8s.io',
    hint: /did you mean networkpolicies\?/,
  },
  {
    name: 'a short name',
    tag: `groups=apps resources=sts/status verbs=get`,
    at: 'resources',
    message: 'unknown resource sts/status in apps',
    hint: /did you mean statefulsets\/status\?/,
  },
  {
    name: 'a misspelled subresource',
    tag: `groups="" resources=pods/logs verbs=get`,
    at: 'resources',
    message: 'unknown resource pods/logs in core',
    hint: /did you mean pods\/log\?/,
  },
  {
    name: 'a resource of another group',
    tag: `groups="" resources=pods;deployments verbs=get`,
    at: 'resources',
    message: 'unknown resource deployments in core',
    hint: /deployments are in the group apps/,
  },
  {
    name: 'a resource of none of several groups',
    tag: `groups=apps;batch resources=jobs;pods verbs=get`,
    at: 'resources',
    message: 'unknown resource pods in apps or batch',
    hint: /pods are in the group core/,
  },
  {
    name: 'a group without its domain',
    tag: `groups=networking resources=ingresses verbs=get`,
    at: 'groups',
    message: 'unknown group networking',
    hint: /did you mean networking\.k8s\.io\?/,
  },
  {
    name: 'a misspelled group',
    tag: `groups=app resources=deployments verbs=get`,
    at: 'groups',
    message: 'unknown group app',
    hint: /did you mean apps\?/,
  },
];
