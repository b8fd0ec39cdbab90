import { beforeAll, expect, test } from 'vitest';
import { until } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { type Answer, Session } from '../../support/session.ts';

const group = '/apis/flowcontrol.apiserver.k8s.io/v1';

const users: Record<string, string[]> = {
  admin: [],
  jane: [],
  'system:anonymous': [],
  'system:serviceaccount:default:robot': ['system:serviceaccounts', 'system:serviceaccounts:default'],
  'system:serviceaccount:kube-system:namespace-controller': [
    'system:serviceaccounts',
    'system:serviceaccounts:kube-system',
  ],
  'system:serviceaccount:kube-systemic:robot': ['system:serviceaccounts'],
  'system:node:one': ['system:nodes'],
  'system:kube-controller-manager': [],
  'system:kube-scheduler': [],
};

const requests: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api/v1/namespaces/default/pods'],
  ['GET', '/api/v1/namespaces/default/pods?watch=1&timeoutSeconds=1'],
  ['GET', '/api/v1/namespaces/default/pods/missing'],
  ['GET', '/api/v1/namespaces/default/pods/missing/log'],
  ['GET', '/api/v1/namespaces/default/pods/missing/status'],
  ['GET', '/api/v1/namespaces/default/configmaps/log'],
  ['GET', '/api/v1/namespaces/default/services/missing/proxy/x'],
  ['GET', '/apis/coordination.k8s.io/v1/namespaces/default/leases/a'],
  ['PATCH', '/apis/coordination.k8s.io/v1/namespaces/default/leases/a'],
  ['GET', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a'],
  ['PUT', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a'],
  ['GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/a'],
  ['PUT', '/api/v1/namespaces/kube-system/endpoints/a'],
  ['PATCH', '/api/v1/nodes/one/status'],
  ['GET', '/api/v1/nodes'],
  ['POST', '/api/v1/namespaces/default/events'],
  ['GET', '/healthz'],
  ['GET', '/livez/ping'],
  ['GET', '/readyz'],
  ['GET', '/version'],
  ['GET', '/apis'],
  ['GET', '/openapi/v3'],
  ['GET', '/nothing'],
  ['GET', '/apis/example.com/v1/namespaces/default/things'],
];

onEachServer('classification by flow schemas', (server) => {
  const names = new Map<unknown, string>();

  beforeAll(async () => {
    for (const plural of ['flowschemas', 'prioritylevelconfigurations']) {
      const { body } = await server.session.get(`${group}/${plural}`);
      for (const { metadata } of body.items) names.set(metadata.uid, metadata.name);
    }
  });

  function flowOf({ headers }: Answer): string {
    const [schema, level] = ['flowschema', 'prioritylevel'].map(
      (part) => headers[`x-kubernetes-pf-${part}-uid`],
    );
    return schema === undefined && level === undefined ? 'none' : `${names.get(schema)}, ${names.get(level)}`;
  }

  async function ask(user: string, method: string, path: string): Promise<Answer> {
    const groups = users[user] ?? [];
    const headers: Record<string, any> = {
      ...(user !== 'admin' && { 'impersonate-user': user }),
      ...(groups.length > 0 && { 'impersonate-group': groups }),
    };
    const body = method === 'GET' ? undefined : {};
    return server.session.send(method, path, { headers, body });
  }

  test.each(Object.keys(users))('requests of %s', async (user) => {
    const outcomes: Record<string, string> = {};
    for (const [method, path] of requests)
      outcomes[`${method} ${path}`] = flowOf(await ask(user, method, path));
    const file = user.replaceAll(':', '-');
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/flow-schemas/${file}.yaml`);
  });

  test('invalid credentials have no class', async () => {
    const session = new Session({ ...server.environment.config, token: 'x' });
    const answer = await session.get('/api');
    session.close();
    expect([answer.code, flowOf(answer)]).toStrictEqual([401, 'none']);
  });

  test('schemas of users come first by their precedence', async () => {
    const spec = (level: string, matchingPrecedence: number) => ({
      priorityLevelConfiguration: { name: level },
      matchingPrecedence,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'early' } }],
          resourceRules: [
            { verbs: ['get'], apiGroups: [''], resources: ['pods', 'pods/status'], namespaces: ['default'] },
          ],
          nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version', '/openapi/*'] }],
        },
      ],
    });
    const schemas = {
      first: spec('workload-high', 100),
      second: spec('workload-low', 50),
      lost: spec('missing', 1),
    };
    for (const [name, fields] of Object.entries(schemas)) {
      const { body } = await server.session.post(`${group}/flowschemas`, {
        metadata: { name },
        spec: fields,
      });
      names.set(body.metadata.uid, name);
    }
    const pod = '/api/v1/namespaces/default/pods/a';
    // A real server sees new schemas a little later.
    await until(async () => flowOf(await ask('early', 'GET', pod)).startsWith('second'));
    const paths = [
      pod,
      `${pod}/status`,
      `${pod}/resize`,
      '/api/v1/namespaces/other/pods/a',
      '/api/v1/pods',
      '/api/v1/pods/a',
      '/version',
      '/openapi/v3',
      '/openapi',
      '/versions',
    ];
    const outcomes: Record<string, string> = {};
    for (const path of paths) outcomes[path] = flowOf(await ask('early', 'GET', path));
    await server.session.delete(`${group}/flowschemas/second`);
    await until(async () => flowOf(await ask('early', 'GET', pod)).startsWith('first'));
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/flow-schemas/own-schemas.yaml');
  });
});
