import { ApiServer, type RecordedRequest, send } from 'ots-apiserver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RightsRecord } from '../../../src/dev/rights/rights-record.ts';
import { requestState } from '../../../src/dev/rights/request-state.ts';

const account = { namespace: 'shop', serviceAccount: 'operator' };
const metadata = { name: 'operator' };
const group = 'rbac.authorization.k8s.io';
let server: ApiServer;

beforeAll(async () => {
  server = await ApiServer.start();
  await send(server.connection, 'POST', `/apis/${group}/v1/clusterroles`, {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRole',
    metadata,
    rules: [
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['login'], verbs: ['get'] },
    ],
  });
  await send(server.connection, 'POST', `/apis/${group}/v1/clusterrolebindings`, {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'operator' },
    subjects: [{ kind: 'ServiceAccount', name: account.serviceAccount, namespace: account.namespace }],
  });
});
afterAll(async () => {
  await server.stop();
});

function request(parts: Partial<RecordedRequest>): RecordedRequest {
  return {
    verb: 'get',
    group: '',
    resource: 'pods',
    subresource: '',
    namespace: 'default',
    name: 'web',
    path: '',
    user: 'system:serviceaccount:shop:operator',
    code: 200,
    milliseconds: 1.5,
    dryRun: false,
    annotations: {},
    ...parts,
  };
}

const read = async (path: string) => (await send(server.connection, 'GET', path)).body;

const denied = (parts: Partial<RecordedRequest>) =>
  request({ code: 403, annotations: { 'authorization.k8s.io/decision': 'forbid' }, ...parts });

test('what is granted is beside what was used', async () => {
  const record = new RightsRecord();
  await record.read(read, account);
  const used = () => record.state.granted.filter(({ isUsed }) => isUsed).map(({ rule }) => rule);
  expect(record.state).toEqual({
    granted: [
      {
        role: 'ClusterRole operator',
        rule: '@rbac groups=apps resources=deployments verbs=get',
        isUsed: false,
      },
      {
        role: 'ClusterRole operator',
        rule: '@rbac groups=apps resources=deployments verbs=patch',
        isUsed: false,
      },
      {
        role: 'ClusterRole operator',
        rule: '@rbac groups=core resources=secrets resourceNames=login verbs=get',
        isUsed: false,
      },
    ],
    missing: [],
  });
  expect(record.add(request({ group: 'apps', resource: 'deployments', verb: 'patch' }))).toBe(true);
  expect(record.add(request({ group: 'apps', resource: 'deployments', verb: 'patch' }))).toBe(false);
  expect(record.add(request({ resource: 'secrets', name: 'other' }))).toBe(true);
  expect(used()).toEqual(['@rbac groups=apps resources=deployments verbs=patch']);
  record.add(request({ resource: 'secrets', name: 'login' }));
  expect(used()).toHaveLength(2);
});

test('what RBAC denied is a rule that is missing, until the roles are read again', async () => {
  const record = new RightsRecord();
  expect(record.add(denied({ verb: 'list', name: '' }))).toBe(true);
  expect(record.add(denied({ verb: 'watch', name: '' }))).toBe(true);
  record.add(denied({ verb: 'create', group: 'apps', resource: 'deployments', subresource: 'scale' }));
  record.add(denied({ resource: '', path: '/version' }));
  expect(record.state.missing).toEqual([
    { rule: '@rbac groups=core resources=pods verbs=get;list;watch', count: 2 },
    { rule: '@rbac groups=apps resources=deployments/scale verbs=create', count: 1 },
    { rule: '@rbac urls=/version verbs=get', count: 1 },
  ]);
  await record.read(read, account);
  expect(record.state.missing).toEqual([]);
});

test('what admission refused is not a missing right', () => {
  const record = new RightsRecord();
  record.add(
    request({ verb: 'create', code: 403, annotations: { 'authorization.k8s.io/decision': 'allow' } }),
  );
  expect(record.state.missing).toEqual([]);
});

test('a request is shown when it began, with its group and subresource', () => {
  const now = Date.parse('2026-01-01T00:00:01.500Z');
  expect(
    requestState(
      request({ group: 'apps', resource: 'deployments', subresource: 'scale', milliseconds: 500 }),
      now,
    ),
  ).toEqual({
    at: '2026-01-01T00:00:01.000Z',
    verb: 'get',
    resource: 'deployments.apps/scale',
    namespace: 'default',
    name: 'web',
    code: 200,
    duration: 0.5,
  });
  expect(
    requestState(request({ resource: '', namespace: '', name: '', path: '/version' }), now),
  ).toMatchObject({ resource: '', path: '/version' });
});
