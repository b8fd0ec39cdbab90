import { afterAll, beforeAll, expect, test } from 'vitest';
import { KubectlRunner, hasKubectl } from './kubectl-runner.ts';
import { onEachServer } from '../../support/on-each-server.ts';

// kubectl sends these as protobuf. It sends JSON only with `-f`.
onEachServer('kubectl create', (server) => {
  let runner: KubectlRunner;
  beforeAll(async () => {
    runner = await KubectlRunner.create(server.environment);
  });
  afterAll(async () => {
    await runner.close();
  });

  const kubectl = async (command: string) => (await runner.run(...command.split(' '))).trim();

  test.skipIf(!hasKubectl).each([
    ['namespace made', '/api/v1/namespaces/made', { status: { phase: 'Active' } }],
    [
      'configmap made --from-literal=a=1 --from-literal=b=two',
      '/api/v1/namespaces/default/configmaps/made',
      { data: { a: '1', b: 'two' } },
    ],
    [
      'secret generic made --from-literal=password=s3cret --type=example.com/x',
      '/api/v1/namespaces/default/secrets/made',
      { data: { password: 'czNjcmV0' }, type: 'example.com/x' },
    ],
    ['serviceaccount made', '/api/v1/namespaces/default/serviceaccounts/made', {}],
    [
      'deployment made --image=nginx:1 --replicas=2 --port=80',
      '/apis/apps/v1/namespaces/default/deployments/made',
      {
        spec: {
          replicas: 2,
          selector: { matchLabels: { app: 'made' } },
          template: {
            spec: { containers: [{ name: 'nginx', image: 'nginx:1', ports: [{ containerPort: 80 }] }] },
          },
        },
      },
    ],
    [
      'role made --verb=get,list --resource=pods',
      '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/made',
      { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] },
    ],
    [
      'rolebinding made --role=made --user=jane',
      '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings/made',
      { roleRef: { kind: 'Role', name: 'made' }, subjects: [{ kind: 'User', name: 'jane' }] },
    ],
    [
      'job made --image=busybox -- date -u',
      '/apis/batch/v1/namespaces/default/jobs/made',
      { spec: { template: { spec: { containers: [{ command: ['date', '-u'] }] } } } },
    ],
    [
      'quota made --hard=pods=3,memory=1Gi',
      '/api/v1/namespaces/default/resourcequotas/made',
      { spec: { hard: { pods: '3', memory: '1Gi' } } },
    ],
  ])('%s', async (command, path, expected) => {
    expect(await kubectl(`create ${command}`)).toMatch(/ created$/);
    expect((await server.session.get(path)).body).toMatchObject(expected);
  });
});
