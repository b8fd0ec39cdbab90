import { send } from 'ots-apiserver';
import { expect, onTestFinished, test } from 'vitest';
import { certificateRequests } from '../../support/certificate-requests.ts';
import { until } from '../../support/fixtures.ts';
import { connectionOf } from '../../support/kubeconfig-connection.ts';
import { KubectlRunner, hasKubectl } from '../kubectl/kubectl-runner.ts';
import { onEachServer } from '../../support/on-each-server.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const pods = '/api/v1/namespaces/default/pods';

onEachServer('connections as a chosen identity', (server) => {
  /** Lets subjects list the pods of the namespace `default`. */
  async function bind(name: string, subject: object): Promise<void> {
    const rules = [{ verbs: ['list'], apiGroups: [''], resources: ['pods'] }];
    await server.session.post(`${rbac}/namespaces/default/roles`, { metadata: { name }, rules });
    await server.session.post(`${rbac}/namespaces/default/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup, kind: 'Role', name },
      subjects: [subject],
    });
  }

  test('a ServiceAccount may do what its roles allow', async () => {
    await server.session.post('/api/v1/namespaces/default/serviceaccounts', {
      metadata: { name: 'operator' },
    });
    const config = await server.environment.as({ serviceAccount: 'operator', namespace: 'default' });
    expect(await send(config, 'GET', pods)).toMatchObject({
      code: 403,
      body: {
        message:
          'pods is forbidden: User "system:serviceaccount:default:operator" cannot list resource "pods" in API group "" in the namespace "default"',
      },
    });
    await bind('operator', { kind: 'ServiceAccount', name: 'operator', namespace: 'default' });
    await until(async () => (await send(config, 'GET', pods)).code === 200);
    expect((await send(config, 'GET', '/api/v1/pods')).code).toBe(403);
  });

  test('a user may do what the roles of its groups allow', async () => {
    const config = await server.environment.as({ user: 'jane', groups: ['readers', 'writers'] });
    expect((await send(config, 'GET', pods)).code).toBe(403);
    await bind('readers', { kind: 'Group', apiGroup, name: 'readers' });
    await until(async () => (await send(config, 'GET', pods)).code === 200);
    const joe = await server.environment.as({ user: 'joe' });
    expect((await send(joe, 'GET', pods)).code).toBe(403);
    expect((await send(joe, 'GET', '/api')).code).toBe(200);
  });

  test('a kubeconfig has credentials of its own', async () => {
    const { environment, session } = server;
    await session.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'remote' } });
    const identities = [
      { serviceAccount: 'remote', namespace: 'default' },
      { user: 'jane', groups: ['readers', 'writers'] },
      { user: 'joe' },
    ];
    const found = [];
    for (const identity of identities) {
      const connection = connectionOf(await environment.kubeconfigFor(identity));
      expect(connection.server).toMatch(/^https:/);
      const { body } = await send(
        connection,
        'POST',
        '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        {},
      );
      const { username, groups } = (body as any).status.userInfo;
      found.push([username, ...groups]);
    }
    expect(found).toEqual([
      [
        'system:serviceaccount:default:remote',
        'system:serviceaccounts',
        'system:serviceaccounts:default',
        'system:authenticated',
      ],
      ['jane', 'readers', 'writers', 'system:authenticated'],
      ['joe', 'system:authenticated'],
    ]);
    await expect(
      environment.kubeconfigFor({ serviceAccount: 'missing', namespace: 'default' }),
    ).rejects.toThrow('The server issued no token for the ServiceAccount default/missing');
  });

  test.skipIf(!hasKubectl)('kubectl is whom its kubeconfig says', async () => {
    const kubeconfig = await server.environment.kubeconfigFor({ user: 'jane', groups: ['readers'] });
    const runner = await KubectlRunner.create({ kubeconfig });
    onTestFinished(() => runner.close());
    const { status } = JSON.parse(await runner.run('auth', 'whoami', '-o', 'json'));
    expect(status.userInfo.username).toBe('jane');
    expect(status.userInfo.groups).toEqual(['readers', 'system:authenticated']);
    await expect(runner.run('get', 'nodes')).rejects.toThrow(
      'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
    );
  });

  test('a certificate signing request says who sent it', async () => {
    const apiVersion = 'certificates.k8s.io/v1';
    const spec = {
      request: certificateRequests.good,
      signerName: 'example.com/signer',
      usages: ['client auth'],
    };
    const { code, body } = await server.session.send(
      'POST',
      `/apis/${apiVersion}/certificatesigningrequests?dryRun=All`,
      {
        body: { metadata: { name: 'robot' }, spec: { ...spec, username: 'forged', groups: ['forged'] } },
        headers: {
          'impersonate-user': 'robot',
          'impersonate-group': 'system:masters',
          'impersonate-extra-a': 'b',
        },
      },
    );
    expect(body.message ?? code).toBe(201);
    expect(body.spec).toMatchObject({
      username: 'robot',
      groups: ['system:masters', 'system:authenticated'],
      extra: { a: ['b'] },
    });
  });

  test('a ServiceAccount that does not exist is an error that says what to do', async () => {
    await expect(server.environment.as({ serviceAccount: 'missing', namespace: 'default' })).rejects.toThrow(
      'The server issued no token for the ServiceAccount default/missing: serviceaccounts "missing" not found. Create the namespace and the ServiceAccount first',
    );
  });
});
