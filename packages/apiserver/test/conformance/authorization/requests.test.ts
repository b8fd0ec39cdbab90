import { beforeAll, expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Session } from '../../support/session.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const jane = { 'impersonate-user': 'jane' };
const configMap = (name: string) => ({ metadata: { name } });

/** Jane may read pods, and do more with the ConfigMap `one`, in the namespace `default`. */
const rules = [
  { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'] },
  {
    verbs: ['get', 'list', 'watch', 'update', 'delete'],
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: ['one'],
  },
  { verbs: ['get'], apiGroups: [''], resources: ['namespaces'] },
  { verbs: ['create'], apiGroups: [''], resources: ['serviceaccounts/token'] },
];

async function bindRole(session: Session): Promise<void> {
  const metadata = { name: 'jane' };
  await session.post(`${rbac}/namespaces/default/roles`, { metadata, rules });
  await session.post(`${rbac}/namespaces/default/rolebindings`, {
    metadata,
    roleRef: { apiGroup, kind: 'Role', name: 'jane' },
    subjects: [{ kind: 'User', apiGroup, name: 'jane' }],
  });
  await session.post(`${rbac}/namespaces/default/rolebindings`, {
    metadata: { name: 'broken' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'missing' },
    subjects: [{ kind: 'User', apiGroup, name: 'joe' }],
  });
  await session.post('/api/v1/namespaces/default/configmaps', configMap('one'));
  // A real server sees new roles and bindings a little later.
  const seen = async (path: string, user: string, sign: RegExp | number) => {
    const { code, body } = await session.send('GET', path, { headers: { 'impersonate-user': user } });
    return typeof sign === 'number' ? code === sign : sign.test(body.message);
  };
  await until(() => seen('/api/v1/namespaces/default/pods', 'jane', 200));
  await until(() => seen('/api/v1/namespaces/default/pods', 'joe', /RBAC/));
}

const requests: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['GET', '/api/v1/namespaces/default/pods'],
  ['GET', '/api/v1/namespaces/default/pods?watch=1&timeoutSeconds=1'],
  ['GET', '/api/v1/namespaces/default/pods?watch=false'],
  ['GET', '/api/v1/watch/namespaces/default/pods'],
  ['GET', '/api/v1/pods'],
  ['GET', '/api/v1/namespaces/default/pods/a'],
  ['GET', '/api/v1/namespaces/default/pods/a/log'],
  ['GET', '/api/v1/namespaces/default/pods/a/status'],
  ['GET', '/api/v1/namespaces/other/pods/a'],
  ['POST', '/api/v1/namespaces/default/pods', {}],
  ['DELETE', '/api/v1/namespaces/default/pods'],
  ['DELETE', '/api/v1/namespaces/default/pods/a'],
  ['PATCH', '/api/v1/namespaces/default/pods/a', {}],
  ['PUT', '/api/v1/namespaces/default/pods/a', {}],
  ['HEAD', '/api/v1/namespaces/default/pods/a'],
  ['OPTIONS', '/api/v1/namespaces/default/pods/a'],
  ['POST', '/api/v1/namespaces/default/pods/a/eviction', {}],
  ['GET', '/api/v1/namespaces/default/configmaps/one'],
  ['GET', '/api/v1/namespaces/default/configmaps/two'],
  ['GET', '/api/v1/namespaces/default/configmaps'],
  ['GET', '/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name%3Done'],
  ['GET', '/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name%3Dtwo'],
  ['GET', '/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name!%3Done'],
  ['GET', '/api/v1/namespaces/default/configmaps?fieldSelector=bad'],
  ['DELETE', '/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name%3Done&dryRun=All'],
  ['PUT', '/api/v1/namespaces/default/configmaps/two', configMap('two')],
  ['PUT', '/api/v1/namespaces/default/configmaps/one?dryRun=All', configMap('one')],
  ['GET', '/api/v1/namespaces/default'],
  ['GET', '/api/v1/namespaces/default/status'],
  ['GET', '/api/v1/namespaces/default/finalize'],
  ['GET', '/api/v1/namespaces/other'],
  ['GET', '/api/v1/namespaces'],
  ['GET', '/api/v1/namespaces/default/nothing'],
  ['GET', '/api/v1/nothing'],
  ['GET', '/apis/example.com/v1/things'],
  ['GET', '/apis/example.com/v1'],
  ['GET', '/apis/example.com'],
  ['GET', '/apis/apps/v1/namespaces/default/deployments/a/scale'],
  ['PATCH', '/apis/apps/v1/namespaces/default/deployments/a/scale', {}],
  ['GET', '/apis/apps/v1/deployments'],
  ['GET', '/apis/apps/v1'],
  ['GET', '/apis'],
  ['GET', '/api'],
  ['GET', '/api/v1'],
  ['GET', '/api/v1/'],
  ['GET', '/version'],
  ['GET', '/version/'],
  ['GET', '/healthz'],
  ['GET', '/healthz/ping'],
  ['GET', '/livez?verbose'],
  ['GET', '/metrics'],
  ['GET', '/'],
  ['GET', '/nothing'],
  ['POST', '/nothing', {}],
  ['GET', '/openapi/v2'],
  ['GET', '/openapi/v3'],
  ['GET', '/api/v1/namespaces/default/pods/'],
  ['GET', '/api/v1/namespaces/default/pods/a/proxy/x'],
  ['GET', '/api/v1/proxy/namespaces/default/pods/a'],
  ['GET', '/api/v1/nodes/a'],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {}],
  ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {}],
  ['POST', '/api/v1/namespaces/default/serviceaccounts/a/token', {}],
  ['GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
];

onEachServer('authorization of requests', (server) => {
  beforeAll(async () => bindRole(server.session));

  async function outcomes(headers: Record<string, string>): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (const [method, path, body] of requests) {
      const answer = await server.session.send(method, path, {
        headers,
        ...(body !== undefined && { body }),
        ...(method === 'PATCH' && { contentType: 'application/merge-patch+json' }),
      });
      found[`${method} ${path}`] = answer.code === 403 && method !== 'HEAD' ? refusal(answer) : answer.code;
    }
    return found;
  }

  test('a user with a role', async () => {
    await expect(asRecorded(await outcomes(jane))).toMatchFileSnapshot('../recorded/authorization/role.yaml');
  });

  test('a client without credentials', async () => {
    const found = await outcomes({ 'impersonate-user': 'system:anonymous' });
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/authorization/anonymous.yaml');
  });

  test('a user whose role does not exist', async () => {
    const found = await outcomes({ 'impersonate-user': 'joe' });
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/authorization/missing-role.yaml');
  });
});
