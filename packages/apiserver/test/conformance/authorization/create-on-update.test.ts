import { expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const apiVersion = 'coordination.k8s.io/v1';
const headers = { 'impersonate-user': 'updater' };

onEachServer('updates that create', (server) => {
  test('need the right to create', async () => {
    const { session } = server;
    const metadata = { name: 'updater' };
    const rules = [
      { verbs: ['get', 'update', 'patch'], apiGroups: ['coordination.k8s.io'], resources: ['leases'] },
    ];
    await session.post(`${rbac}/clusterroles`, { metadata, rules });
    await session.post(`${rbac}/clusterrolebindings`, {
      metadata,
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'updater' },
      subjects: [{ kind: 'User', apiGroup, name: 'updater' }],
    });
    // A real server sees new roles and bindings a little later.
    await until(async () => (await session.send('GET', `${leases}/missing`, { headers })).code === 404);
    const body = (name: string) => ({ apiVersion, kind: 'Lease', metadata: { name } });
    const contentType = 'application/apply-patch+yaml';
    const apply = `?fieldManager=m`;
    const answers = {
      PUT: await session.send('PUT', `${leases}/put`, { headers, body: body('put') }),
      apply: await session.send('PATCH', `${leases}/applied${apply}`, {
        headers,
        body: body('applied'),
        contentType,
      }),
      invalid: await session.send('PUT', `${leases}/A`, { headers, body: body('A') }),
    };
    const found = Object.entries(answers).map(
      ([
        title,
        {
          code,
          body: { reason, message, details },
        },
      ]) => [title, { code, reason, message, details }],
    );
    await expect(asRecorded(Object.fromEntries(found))).toMatchFileSnapshot(
      '../recorded/authorization/create-on-update.yaml',
    );
  });
});
