import { send } from 'ots-apiserver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';

// With KUBEBUILDER_ASSETS set, this uses a real server.
let environment: TestEnvironment;
beforeAll(async () => {
  environment = await TestEnvironment.start({ recordRequests: true });
}, 60_000);
afterAll(async () => {
  await environment.stop();
});

const group = 'rbac.authorization.k8s.io';
const account = { serviceAccount: 'operator', namespace: 'default' };
const subject = { kind: 'ServiceAccount', name: 'operator', namespace: 'default' };

async function create(path: string, object: object): Promise<void> {
  expect((await send(environment.config, 'POST', path, object)).code).toBe(201);
}

/** Grants rules to a subject, in a namespace or everywhere. */
async function grant(name: string, rules: object[], subjects: object[], namespace?: string): Promise<void> {
  const [kind, at] = namespace === undefined ? ['ClusterRole', ''] : ['Role', `namespaces/${namespace}/`];
  const plural = kind.toLowerCase();
  const metadata = { name };
  const roleRef = { apiGroup: group, kind, name };
  await create(`/apis/${group}/v1/${at}${plural}s`, { metadata, rules });
  await create(`/apis/${group}/v1/${at}${plural}bindings`, { metadata, roleRef, subjects });
}

test('rules that no request used are listed by role, as tags', async () => {
  await create('/api/v1/namespaces', { metadata: { name: 'other' } });
  await create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'operator' } });
  const core = { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['get', 'list', 'delete'] };
  const named = {
    apiGroups: ['apps'],
    resources: ['deployments'],
    resourceNames: ['a', 'b'],
    verbs: ['get'],
  };
  const paths = { nonResourceURLs: ['/metrics', '/version'], verbs: ['get'] };
  await grant('cluster', [core, named, paths], [subject]);
  const status = { apiGroups: ['apps'], resources: ['deployments/status', '*/scale'], verbs: ['patch'] };
  await grant('here', [status], [{ ...subject, namespace: undefined }], 'default');
  await grant('there', [core], [subject], 'other');
  await grant('foreign', [core], [{ ...subject, name: 'another' }]);
  await grant('groups', [core], [{ apiGroup: group, kind: 'Group', name: 'system:serviceaccounts' }]);
  await create(`/apis/${group}/v1/clusterrolebindings`, {
    metadata: { name: 'dangling' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'nowhere' },
    subjects: [subject],
  });

  const connection = await environment.as(account);
  for (const path of [
    '/api/v1/namespaces/default/secrets',
    '/api/v1/namespaces/default/configmaps/a',
    '/apis/apps/v1/namespaces/default/deployments/a',
    '/version',
  ])
    await send(connection, 'GET', path);
  await send(connection, 'DELETE', '/api/v1/namespaces/other/configmaps/a');
  const patch = ['{}', 'application/merge-patch+json'] as const;
  await send(connection, 'PATCH', '/apis/apps/v1/namespaces/default/deployments/a/scale', ...patch);

  expect(await environment.unusedRules(account)).toEqual([
    { role: 'ClusterRole cluster', rule: '@rbac urls=/metrics verbs=get' },
    { role: 'ClusterRole cluster', rule: '@rbac groups=core resources=configmaps verbs=list' },
    { role: 'ClusterRole cluster', rule: '@rbac groups=core resources=secrets verbs=delete;get' },
    {
      role: 'ClusterRole cluster',
      rule: '@rbac groups=apps resources=deployments resourceNames=b verbs=get',
    },
    { role: 'Role here', rule: '@rbac groups=apps resources=deployments/status verbs=patch' },
    { role: 'Role there', rule: '@rbac groups=core resources=configmaps namespace=other verbs=get;list' },
    { role: 'Role there', rule: '@rbac groups=core resources=secrets namespace=other verbs=delete;get;list' },
  ]);
});

test('an apply that creates an object uses the right to create it', async () => {
  const applier = { serviceAccount: 'applier', namespace: 'default' };
  await create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'applier' } });
  const verbs = ['create', 'patch'];
  const rule = { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs };
  await grant('applier', [rule], [{ ...subject, name: 'applier' }], 'default');
  const connection = await environment.as(applier);
  for (const [plural, kind, name] of [
    ['configmaps', 'ConfigMap', 'new'],
    ['secrets', 'Secret', 'existing'],
  ]) {
    const path = `/api/v1/namespaces/default/${plural}`;
    if (name === 'existing') await create(path, { metadata: { name } });
    const object = { apiVersion: 'v1', kind, metadata: { name } };
    const to = `${path}/${name}?fieldManager=test`;
    const { code } = await send(connection, 'PATCH', to, object, 'application/apply-patch+yaml');
    expect(code).toBe(name === 'new' ? 201 : 200);
  }
  expect(await environment.unusedRules(applier)).toEqual([
    { role: 'Role applier', rule: '@rbac groups=core resources=secrets verbs=create' },
  ]);
});

test('without a record there is no answer', async () => {
  await using other = await TestEnvironment.start({ env: {} });
  await expect(other.unusedRules(account)).rejects.toThrow('Start it with recordRequests: true.');
});
