import { beforeAll, expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';
import { asRecorded } from '../../support/recorded.ts';
import { namespaces, randomRules } from './random-rules.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const mergePatch = 'application/merge-patch+json';

const held = [
  { verbs: ['create', 'update', 'patch', 'get'], apiGroups: [apiGroup], resources: ['*'] },
  { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', '*/scale'] },
  { verbs: ['get'], apiGroups: [''], resources: ['things'], resourceNames: ['one', 'two'] },
  { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] },
  { verbs: ['get'], nonResourceURLs: ['/healthz', '/api*'] },
  { verbs: ['escalate'], apiGroups: [apiGroup], resources: ['roles'], resourceNames: ['escalated'] },
  { verbs: ['bind'], apiGroups: [apiGroup], resources: ['clusterroles'], resourceNames: ['view'] },
];

const role = (name: string, rules: unknown, rest: object = {}) => ({ metadata: { name }, rules, ...rest });
const rule = (verbs: string[], apiGroups: string[], resources: string[], resourceNames?: string[]) => ({
  verbs,
  apiGroups,
  resources,
  ...(resourceNames && { resourceNames }),
});
const bindTo = (kind: string, name: string) => ({
  metadata: { name: 'binding' },
  roleRef: { apiGroup, kind, name },
  subjects: [{ kind: 'User', apiGroup, name: 'joe' }],
});
const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };

const clusterRoles = 'clusterroles';
const roles = 'namespaces/rbac-a/roles';
const roleBindings = 'namespaces/rbac-a/rolebindings';

const writes: readonly (readonly [title: string, method: string, path: string, body: unknown])[] = [
  ['held', 'POST', clusterRoles, role('a', [rule(['get'], [''], ['pods'])])],
  ['another verb', 'POST', clusterRoles, role('a', [rule(['get', 'watch'], [''], ['pods'])])],
  ['all verbs', 'POST', clusterRoles, role('a', [rule(['*'], [''], ['pods'])])],
  ['all of a group', 'POST', clusterRoles, role('a', [rule(['*'], ['apps'], ['*'])])],
  ['a subresource of any', 'POST', clusterRoles, role('a', [rule(['get'], [''], ['x/scale', '*/scale'])])],
  ['any resource', 'POST', clusterRoles, role('a', [rule(['get'], [''], ['*'])])],
  ['names', 'POST', clusterRoles, role('a', [rule(['get'], [''], ['things'], ['one', 'three'])])],
  ['no names', 'POST', clusterRoles, role('a', [rule(['get'], [''], ['things'])])],
  ['names of all', 'POST', clusterRoles, role('a', [rule(['get'], [''], ['pods'], ['one'])])],
  [
    'a path',
    'POST',
    clusterRoles,
    role('a', [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/api/v1', '/api*'] }]),
  ],
  [
    'other paths',
    'POST',
    clusterRoles,
    role('a', [{ verbs: ['get', 'put'], nonResourceURLs: ['/ap', '/api*', '*'] }]),
  ],
  ['no rules', 'POST', clusterRoles, role('a', [])],
  ['an invalid rule', 'POST', clusterRoles, role('a', [{ verbs: [] }])],
  [
    'an invalid rule beyond',
    'POST',
    clusterRoles,
    role('a', [{ verbs: ['x'], apiGroups: ['a'], resources: ['b'] }, { verbs: [] }]),
  ],
  ['an aggregation', 'POST', clusterRoles, { metadata: { name: 'a' }, aggregationRule }],
  [
    'an aggregation beyond',
    'POST',
    clusterRoles,
    role('a', [rule(['x'], ['x'], ['x'])], { aggregationRule }),
  ],
  [
    'a new label of a larger role',
    'PATCH',
    `${clusterRoles}/cluster-admin`,
    { metadata: { labels: { a: 'b' } } },
  ],
  [
    'an owner of a larger role',
    'PATCH',
    `${clusterRoles}/cluster-admin`,
    { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'a' }] } },
  ],
  [
    'a finalizer of a larger role',
    'PATCH',
    `${clusterRoles}/cluster-admin`,
    { metadata: { finalizers: ['a.b/c'] } },
  ],
  [
    'a label of an aggregated role',
    'PATCH',
    `${clusterRoles}/edit`,
    { metadata: { labels: { a: 'b' } }, rules: [] },
  ],
  [
    'fewer rules',
    'PUT',
    `${clusterRoles}/cluster-admin`,
    role('cluster-admin', [rule(['get'], [''], ['pods'])]),
  ],
  ['a role by update', 'PUT', `${clusterRoles}/missing`, role('missing', [])],
  ['a role in a namespace', 'POST', roles, role('a', [rule(['watch'], [''], ['pods'])])],
  ['an escalated role', 'POST', roles, role('escalated', [rule(['watch'], [''], ['pods'])])],
  ['a binding to a held role', 'POST', roleBindings, bindTo('ClusterRole', 'writer')],
  ['a binding to a larger role', 'POST', roleBindings, bindTo('ClusterRole', 'cluster-admin')],
  ['a binding that is allowed', 'POST', roleBindings, bindTo('ClusterRole', 'view')],
  ['a binding to no role', 'POST', roleBindings, bindTo('Role', 'missing')],
  ['a binding to another kind', 'POST', roleBindings, bindTo('Thing', 'missing')],
  ['a binding in the cluster', 'POST', 'clusterrolebindings', bindTo('ClusterRole', 'cluster-admin')],
  ['a binding in the cluster to no role', 'POST', 'clusterrolebindings', bindTo('ClusterRole', 'missing')],
  ['a binding in the cluster to a role', 'POST', 'clusterrolebindings', bindTo('Role', 'missing')],
  [
    'a subject of a larger binding',
    'PATCH',
    'clusterrolebindings/cluster-admin',
    { subjects: [{ kind: 'User', apiGroup, name: 'joe' }] },
  ],
  [
    'a label of a larger binding',
    'PATCH',
    'clusterrolebindings/cluster-admin',
    { metadata: { labels: { a: 'b' } } },
  ],
];

onEachServer('writes of roles', (server) => {
  const user = { 'impersonate-user': 'writer', 'impersonate-group': 'writers' };

  async function write(method: string, path: string, body: unknown): Promise<unknown> {
    const answer = await server.session.send(method, `${rbac}/${path}?dryRun=All`, {
      headers: user,
      body,
      ...(method === 'PATCH' && { contentType: mergePatch }),
    });
    return answer.code < 400 ? answer.code : refusal(answer);
  }

  beforeAll(async () => {
    const { session } = server;
    for (const name of namespaces) await session.post('/api/v1/namespaces', { metadata: { name } });
    await session.post(`${rbac}/clusterroles`, role('writer', held));
    await session.post(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'writer' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'writer' },
      subjects: [{ kind: 'User', apiGroup, name: 'writer' }],
    });
    // A real server sees new roles and bindings a little later.
    const path = '/api/v1/namespaces/rbac-a/pods';
    await until(async () => (await session.send('GET', path, { headers: user })).code === 200);
  });

  test('grant no more than the writer has', async () => {
    const found: Record<string, unknown> = {};
    for (const [title, method, path, body] of writes) found[title] = await write(method, path, body);
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/authorization/escalation.yaml');
  });

  test('random roles grant no more than the writer has', async () => {
    const random = new Randomness(16);
    const found: unknown[] = [];
    for (let index = 0; index < 100; index += 1) {
      const rules = randomRules(random, false);
      found.push({
        rules: JSON.stringify(rules),
        outcome: await write('POST', clusterRoles, role('a', rules)),
      });
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/authorization/random-escalation.yaml');
  });
});
