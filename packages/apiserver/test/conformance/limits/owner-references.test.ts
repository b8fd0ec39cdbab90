import { beforeAll, expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const path = '/api/v1/namespaces/default';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const write = ['create', 'update', 'patch', 'get'];

/** What each user may do. */
const rules: Record<string, object[]> = {
  writer: [{ verbs: write, apiGroups: [''], resources: ['configmaps', 'pods', 'pods/status'] }],
  deleter: [{ verbs: [...write, 'delete'], apiGroups: [''], resources: ['configmaps'] }],
  finalizer: [
    { verbs: [...write, 'delete'], apiGroups: [''], resources: ['configmaps'] },
    { verbs: ['update'], apiGroups: ['apps'], resources: ['deployments/finalizers'], resourceNames: ['one'] },
  ],
};

const owner = (kind: string, name: string, more: object = {}) => ({
  apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
  kind,
  name,
  uid: `uid-of-${name}`,
  ...more,
});
const blocking = { blockOwnerDeletion: true };
const owners: Record<string, object[]> = {
  plain: [owner('Deployment', 'one')],
  blocking: [owner('Deployment', 'one', blocking)],
  'blocking another': [owner('Deployment', 'two', blocking)],
  'blocking a node': [owner('Node', 'n', blocking)],
  'blocking a kind that is not served': [owner('Thing', 't', blocking)],
  'two, one of them blocking': [owner('Node', 'n'), owner('Deployment', 'one', blocking)],
};

onEachServer(
  'owner references under enforcement',
  { enableAdmissionPlugins: ['OwnerReferencesPermissionEnforcement'] },
  (server) => {
    beforeAll(async () => {
      for (const [name, ruleSet] of Object.entries(rules)) {
        const metadata = { name };
        await server.session.post(`${rbac}/namespaces/default/roles`, { metadata, rules: ruleSet });
        await server.session.post(`${rbac}/namespaces/default/rolebindings`, {
          metadata,
          roleRef: { apiGroup, kind: 'Role', name },
          subjects: [{ kind: 'User', apiGroup, name }],
        });
        const get = { headers: { 'impersonate-user': name } };
        // A real server sees new roles and bindings a little later.
        await until(async () => (await server.session.send('GET', `${path}/configmaps/x`, get)).code === 404);
      }
      const metadata = { name: 'plain' };
      await server.session.post(`${path}/configmaps`, { metadata });
      await server.session.post(`${path}/configmaps`, {
        metadata: {
          name: 'owned',
          ownerReferences: [owner('Deployment', 'one'), owner('Deployment', 'two', blocking)],
        },
      });
    });

    test.each([...Object.keys(rules), 'admin'])('requests of %s', async (user) => {
      const headers = user === 'admin' ? {} : { 'impersonate-user': user };
      const outcomes: Record<string, unknown> = {};
      const ask = async (title: string, method: string, at: string, metadata: object) => {
        const answer = await server.session.send(method, `${at}${at.includes('?') ? '&' : '?'}dryRun=All`, {
          headers,
          body: { metadata },
          ...(method === 'PATCH' && { contentType: 'application/merge-patch+json' }),
        });
        outcomes[title] = answer.code < 400 ? answer.code : refusal(answer);
      };
      for (const [title, ownerReferences] of Object.entries(owners)) {
        await ask(`new: ${title}`, 'POST', `${path}/configmaps`, { name: 'new', ownerReferences });
        await ask(`changed: ${title}`, 'PATCH', `${path}/configmaps/plain`, { ownerReferences });
        await ask(`replaced: ${title}`, 'PATCH', `${path}/configmaps/owned`, { ownerReferences });
      }
      await ask('without owners', 'PATCH', `${path}/configmaps/owned`, { ownerReferences: null });
      await ask('with a label', 'PATCH', `${path}/configmaps/owned`, { labels: { a: 'b' } });
      await ask('applied', 'PATCH', `${path}/configmaps/plain?fieldManager=x`, {
        ownerReferences: owners['blocking'],
      });
      await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/owner-references/${user}.yaml`);
    });
  },
);
