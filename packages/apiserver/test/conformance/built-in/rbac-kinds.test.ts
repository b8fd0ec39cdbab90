import { expect, test } from 'vitest';
import { type Change, askCreates, askUpdates } from '../../support/kind-cases.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const user = { kind: 'User', name: 'alice' };

/** Rules of roles, by what is wrong with them. */
const rules: Record<string, unknown[] | null> = {
  'a rule': [pods],
  'no rules': [],
  'rules that are null': null,
  'a rule without verbs': [{ apiGroups: [''], resources: ['pods'] }],
  'a rule with no verbs': [{ ...pods, verbs: [] }],
  'a rule without groups': [{ resources: ['pods'], verbs: ['get'] }],
  'a rule without resources': [{ apiGroups: [''], verbs: ['get'] }],
  'an empty rule': [{}],
  'names of resources alone': [{ resourceNames: ['a'], verbs: ['get'] }],
  'names of resources': [{ ...pods, resourceNames: ['a', 'a', ''] }],
  'URLs that are no resources': [{ nonResourceURLs: ['/healthz', 'x'], verbs: ['get'] }],
  'URLs without verbs': [{ nonResourceURLs: ['/healthz'] }],
  'URLs and resources': [{ ...pods, nonResourceURLs: ['/healthz'] }],
  'URLs and names of resources': [{ nonResourceURLs: ['*'], resourceNames: ['a'], verbs: ['*'] }],
  'verbs that nobody knows': [{ apiGroups: ['x/y'], resources: ['a b', '*/*'], verbs: ['fly', ''] }],
  'faults in several rules': [{}, pods, { verbs: ['get'] }],
};

const ruleCases: Record<string, Change> = Object.fromEntries(
  Object.entries(rules).map(([name, value]) => [name, (role: any) => void (role.rules = value)]),
);
const nameCases: Record<string, Change> = {
  'a name in capitals, with colons': (object) => void (object.metadata.name = 'System:Some_Role'),
  'a name with a slash': (object) => void (object.metadata.name = 'a/b'),
  'a name with a percent sign': (object) => void (object.metadata.name = 'a%b'),
  'a name of dots': (object) => void (object.metadata.name = '..'),
};
const aggregations: Record<string, Change> = Object.fromEntries(
  Object.entries({
    'an aggregation': { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    'an aggregation of nothing': {},
    'an aggregation without selectors': { clusterRoleSelectors: [] },
    'an aggregation of everything': { clusterRoleSelectors: [{}] },
    'an aggregation with bad labels': { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c!' } }] },
    'an aggregation with expressions': {
      clusterRoleSelectors: [
        { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
        { matchExpressions: [{ key: 'a', operator: 'In' }] },
        { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
        { matchExpressions: [{ key: '', operator: 'Like', values: ['b!'] }] },
      ],
    },
  }).map(([name, aggregationRule]) => [name, (role: any) => void Object.assign(role, { aggregationRule })]),
);

const bindingCases: Record<string, Change> = {
  'a binding': () => {},
  'a role without a group': (binding) => delete binding.roleRef.apiGroup,
  'a role of another group': (binding) => void (binding.roleRef.apiGroup = 'apps'),
  'a role of another kind': (binding) => void (binding.roleRef.kind = 'Pod'),
  'a cluster role': (binding) => void (binding.roleRef.kind = 'ClusterRole'),
  'a role without a kind': (binding) => delete binding.roleRef.kind,
  'a role without a name': (binding) => delete binding.roleRef.name,
  'a role whose name fits into no path': (binding) => void (binding.roleRef.name = 'a/b'),
  'no role': (binding) => delete binding.roleRef,
  'no subjects': (binding) => delete binding.subjects,
  'subjects that are none': (binding) => void (binding.subjects = []),
  'a group': (binding) => void (binding.subjects = [{ kind: 'Group', name: 'system:masters' }]),
  'a service account': (binding) =>
    void (binding.subjects = [{ kind: 'ServiceAccount', name: 'a', namespace: 'b' }]),
  'a service account without a namespace': (binding) =>
    void (binding.subjects = [{ kind: 'ServiceAccount', name: 'a' }]),
  'a service account with a group': (binding) =>
    void (binding.subjects = [
      { kind: 'ServiceAccount', name: 'a', namespace: 'b', apiGroup: 'rbac.authorization.k8s.io' },
    ]),
  'a service account with a bad name': (binding) =>
    void (binding.subjects = [{ kind: 'ServiceAccount', name: 'A b', namespace: 'B c' }]),
  'a user of another group': (binding) => void (binding.subjects = [{ ...user, apiGroup: 'v1' }]),
  'a user with a namespace': (binding) => void (binding.subjects = [{ ...user, namespace: 'a' }]),
  'a subject of another kind': (binding) => void (binding.subjects = [{ kind: 'Robot', name: 'a' }]),
  'empty subjects': (binding) => void (binding.subjects = [{}, { kind: 'ServiceAccount' }, { kind: 'User' }]),
};

const bindingUpdates: Record<string, Change> = {
  'no change': () => {},
  'other subjects': (binding) => void (binding.subjects = [{ kind: 'Group', name: 'g' }]),
  'another role': (binding) => void (binding.roleRef.name = 'other'),
  'another kind of role': (binding) => void (binding.roleRef.kind = 'ClusterRole'),
  'a role without a group': (binding) => delete binding.roleRef.apiGroup,
  'no resource version': (binding) => delete binding.metadata.resourceVersion,
  'no role': (binding) => delete binding.roleRef,
};

/** Every resource of the group, each with the object that its cases change. */
const kinds = [
  { plural: 'roles', isNamespaced: true, fields: { rules: [pods] }, cases: { ...ruleCases, ...nameCases } },
  { plural: 'clusterroles', fields: { rules: [pods] }, cases: { ...ruleCases, ...aggregations } },
  {
    plural: 'rolebindings',
    isNamespaced: true,
    fields: { roleRef: roleRef('Role'), subjects: [user] },
    cases: { ...bindingCases, ...nameCases },
    updates: bindingUpdates,
  },
  {
    plural: 'clusterrolebindings',
    fields: { roleRef: roleRef('ClusterRole'), subjects: [user] },
    cases: bindingCases,
    updates: bindingUpdates,
  },
].map((kind) => {
  const { plural, isNamespaced, fields } = kind;
  const path = `${rbac}${isNamespaced ? '/namespaces/default' : ''}/${plural}`;
  return { updates: {}, ...kind, path, base: { metadata: { name: 'case' }, ...fields } };
});

function roleRef(kind: string): unknown {
  return { apiGroup: 'rbac.authorization.k8s.io', kind, name: 'some' };
}

onEachServer('kinds of access control', (server) => {
  test.each(kinds)('$plural that are created', async ({ plural, path, base, cases }) => {
    const outcomes = await askCreates(server.session, { path, base, cases });
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/rbac-kinds/${plural}.yaml`);
  });

  test.each(kinds)('$plural that are changed', async ({ plural, path, base, cases, updates }) => {
    const outcomes = await askUpdates(server.session, { path, base, cases: { ...cases, ...updates } });
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/rbac-kinds/${plural}-updates.yaml`);
  });

  test.each(kinds)('$plural are made by an update', async ({ path, base }) => {
    const { code, body } = await server.session.put(`${path}/made`, { ...base, metadata: { name: 'made' } });
    expect(code).toBe(201);
    expect(body.metadata.name).toBe('made');
  });
});
