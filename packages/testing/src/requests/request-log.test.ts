import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RecordedRequest, send } from 'ots-apiserver';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';
import { RecentRequests } from './recent-requests.ts';

// With KUBEBUILDER_ASSETS set, this uses a real server, whose audit log has the requests.
let environment: TestEnvironment;
beforeAll(async () => {
  environment = await TestEnvironment.start({ recordRequests: true });
}, 60_000);
afterAll(async () => {
  await environment.stop();
});
afterEach(async () => {
  await environment.requests.clear();
});

const group = 'rbac.authorization.k8s.io';
const account = { serviceAccount: 'operator', namespace: 'default' };
const user = 'system:serviceaccount:default:operator';
const configMaps = '/api/v1/namespaces/default/configmaps';

async function create(collection: string, object: object): Promise<void> {
  expect((await send(environment.config, 'POST', collection, object)).code).toBe(201);
}

/** All but the time, in an order that does not depend on how long the server takes to log each. */
function shown(requests: readonly RecordedRequest[]): string[] {
  return requests
    .map(({ user: who, verb, group: of, resource, subresource, namespace, name, path: at, code, dryRun }) =>
      [who, verb, of, resource, subresource, namespace, name, at, code, dryRun].join(),
    )
    .toSorted();
}

test('requests have the verb, the resource, the user and the outcome', async () => {
  await create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'operator' } });
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }];
  await create(`/apis/${group}/v1/clusterroles`, { metadata: { name: 'operator' }, rules });
  await create(`/apis/${group}/v1/clusterrolebindings`, {
    metadata: { name: 'operator' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'operator' },
    subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace: 'default' }],
  });
  const connection = await environment.as(account);
  // A real server learns of roles a moment later.
  await expect.poll(async () => (await send(connection, 'GET', configMaps)).code).toBe(200);
  await environment.requests.clear();

  const ask = (method: string, at: string, body?: object, type?: string) =>
    send(connection, method, at, body, type);
  await ask('POST', `${configMaps}?dryRun=All`, { metadata: { name: 'dry' } });
  await ask('POST', configMaps, { metadata: { name: 'a' } });
  await ask('POST', configMaps, { metadata: { name: 'a' } });
  await ask('PATCH', `${configMaps}/a`, { data: {} }, 'application/merge-patch+json');
  await ask('GET', '/api/v1/configmaps?limit=1');
  await ask('GET', `${configMaps}?watch=true&timeoutSeconds=1`);
  await ask('GET', '/apis/apps/v1/namespaces/default/deployments/a/scale');
  await ask('DELETE', `${configMaps}?labelSelector=a%3Db`);
  await ask('GET', '/version');
  await send({ ...environment.config, token: 'forged' }, 'GET', configMaps);

  const requests = await environment.requests.by(account);
  expect(shown(requests)).toEqual(
    [
      `${user},create,,configmaps,,default,,,201,true`,
      `${user},create,,configmaps,,default,,,201,false`,
      `${user},create,,configmaps,,default,,,409,false`,
      `${user},patch,,configmaps,,default,a,,200,false`,
      `${user},list,,configmaps,,,,,200,false`,
      `${user},watch,,configmaps,,default,,,200,false`,
      `${user},get,apps,deployments,scale,default,a,,403,false`,
      `${user},deletecollection,,configmaps,,default,,,200,false`,
      `${user},get,,,,,,/version,200,false`,
    ].toSorted(),
  );
  for (const { milliseconds } of requests) expect(milliseconds).toBeGreaterThanOrEqual(0);
  const unknown = (await environment.requests.all()).filter(({ code }) => code === 401);
  expect(shown(unknown)).toEqual([',list,,configmaps,,default,,,401,false']);
}, 60_000);

test('a user who is impersonated counts, and clear forgets', async () => {
  const jane = { user: 'jane', groups: ['system:masters'] };
  await send(await environment.as(jane), 'GET', configMaps);
  expect(await environment.requests.by(jane)).toMatchObject([{ user: 'jane', verb: 'list' }]);
  await environment.requests.clear();
  expect(await environment.requests.by(jane)).toEqual([]);
});

test('requests have their audit annotations', async () => {
  const jane = { user: 'jane' };
  await send(await environment.as(jane), 'GET', configMaps);
  await send(await environment.as(jane), 'GET', '/api');
  const requests = await environment.requests.by(jane);
  expect(requests.map(({ annotations }) => annotations)).toEqual([
    { 'authorization.k8s.io/decision': 'forbid', 'authorization.k8s.io/reason': '' },
    {
      'authorization.k8s.io/decision': 'allow',
      'authorization.k8s.io/reason':
        'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
    },
  ]);
});

test('a record counts equal requests once', async () => {
  const jane = { user: 'jane', groups: ['system:masters'] };
  const connection = await environment.as(jane);
  await send(connection, 'GET', configMaps);
  await send(connection, 'GET', configMaps);
  await send(connection, 'GET', '/apis/apps/v1/namespaces/default/deployments/a/scale');
  await send(connection, 'GET', '/version');
  const directory = await mkdtemp(path.join(tmpdir(), 'ots-record-'));
  const file = path.join(directory, 'coverage/rbac/record.json');
  await environment.requests.write(file, jane);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    version: 1,
    user: 'jane',
    requests: [
      {
        verb: 'get',
        group: 'apps',
        resource: 'deployments/scale',
        namespace: 'default',
        name: 'a',
        count: 1,
      },
      { verb: 'get', path: '/version', count: 1 },
      { verb: 'list', group: '', resource: 'configmaps', namespace: 'default', name: '', count: 2 },
    ],
  });
  await rm(directory, { recursive: true });
});

test('an environment that does not record says so', async () => {
  await using other = await TestEnvironment.start({ env: {} });
  expect(() => other.requests).toThrow('Start it with recordRequests: true.');
});

test('the oldest requests make room for the newest', () => {
  const recent = new RecentRequests(3);
  const verbs = () => recent.all().map(({ verb }) => verb);
  const add = (verb: string) => recent.add({ verb } as RecordedRequest);
  for (const verb of ['a', 'b', 'c']) add(verb);
  expect([verbs(), recent.dropped]).toEqual([['a', 'b', 'c'], 0]);
  for (const verb of ['d', 'e', 'f', 'g']) add(verb);
  expect([verbs(), recent.dropped]).toEqual([['e', 'f', 'g'], 4]);
  recent.clear();
  add('h');
  expect([verbs(), recent.dropped]).toEqual([['h'], 0]);
});
