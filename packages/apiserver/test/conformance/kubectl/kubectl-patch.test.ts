import { afterAll, beforeAll, expect, test } from 'vitest';
import { KubectlRunner, hasKubectl } from './kubectl-runner.ts';
import { onEachServer } from '../../support/on-each-server.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

const deployment = (containers: object[], extra: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers, ...extra } },
  },
});

// The default type of patch is strategic merge. `apply` sends the difference as one.
onEachServer('kubectl patches', { skip: !hasKubectl }, (server) => {
  let runner: KubectlRunner;
  beforeAll(async () => {
    runner = await KubectlRunner.create(server.environment);
  });
  afterAll(async () => {
    await runner.close();
  });

  const kubectl = async (...command: string[]) => (await runner.run(...command)).trim();
  const apply = async (object: object) => kubectl('apply', '-f', await runner.fileOf(object));
  const podOf = async () => (await server.session.get(`${deployments}/web`)).body.spec.template.spec;
  const brief = (containers: any[]) =>
    containers.map(({ name, image, env = [] }) => [
      name,
      image,
      ...env.map((variable: any) => `${variable.name}=${variable.value}`),
    ]);

  test('patch, label, annotate, set and scale', async () => {
    await server.session.post(deployments, deployment([{ name: 'a', image: 'a:1' }]));
    const patch = { spec: { template: { spec: { containers: [{ name: 'b', image: 'b:1' }] } } } };
    expect(await kubectl('patch', 'deployment', 'web', '-p', JSON.stringify(patch))).toBe(
      'deployment.apps/web patched',
    );
    expect(await kubectl('patch', 'deployment', 'web', '-p', JSON.stringify(patch))).toBe(
      'deployment.apps/web patched (no change)',
    );
    expect(await kubectl('label', 'deployment', 'web', 'tier=front', 'x=y')).toBe(
      'deployment.apps/web labeled',
    );
    expect(await kubectl('label', 'deployment', 'web', 'x-')).toBe('deployment.apps/web unlabeled');
    expect(await kubectl('annotate', 'deployment', 'web', 'note=hello world')).toBe(
      'deployment.apps/web annotated',
    );
    await kubectl('set', 'image', 'deployment/web', 'a=a:2');
    await kubectl('set', 'env', 'deployment/web', '-c', 'b', 'X=1', 'Y=2');
    await kubectl('set', 'env', 'deployment/web', '-c', 'b', 'X-');
    const { metadata, spec } = (await server.session.get(`${deployments}/web`)).body;
    expect(metadata).toMatchObject({ labels: { tier: 'front' }, annotations: { note: 'hello world' } });
    expect(metadata.labels.x).toBeUndefined();
    expect(brief(spec.template.spec.containers)).toStrictEqual([
      ['b', 'b:1', 'Y=2'],
      ['a', 'a:2'],
    ]);
    await server.session.delete(`${deployments}/web`);
  });

  test('apply merges the fields that it manages and leaves the rest alone', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, image: `${name}:1` }));
    const volumes = [{ name: 'v', emptyDir: { medium: 'Memory' } }];
    expect(await apply(deployment([a!, b!], { volumes }))).toBe('deployment.apps/web created');
    expect(await apply(deployment([a!, b!], { volumes }))).toBe('deployment.apps/web unchanged');
    // Another client adds a container and a variable.
    await server.session.send('PATCH', `${deployments}/web`, {
      contentType: 'application/strategic-merge-patch+json',
      body: {
        spec: {
          template: {
            spec: {
              containers: [
                { name: 'sidecar', image: 's:1' },
                { name: 'b', env: [{ name: 'E', value: '1' }] },
              ],
            },
          },
        },
      },
    });
    const changed = { ...b!, image: 'b:2', env: [{ name: 'F', value: '2' }] };
    const other = [{ name: 'v', configMap: { name: 'c' } }];
    expect(await apply(deployment([c!, changed], { volumes: other }))).toBe('deployment.apps/web configured');
    const { containers, volumes: after } = await podOf();
    expect(brief(containers)).toStrictEqual([
      ['sidecar', 's:1'],
      ['c', 'c:1'],
      ['b', 'b:2', 'F=2', 'E=1'],
    ]);
    expect(after).toMatchObject([{ name: 'v', configMap: { name: 'c' } }]);
    expect(after[0].emptyDir).toBeUndefined();
  });

  test('apply keeps the finalizers that others have added', async () => {
    const path = '/api/v1/namespaces/default/configmaps/final';
    const object = (finalizers: string[], data: object) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'final', namespace: 'default', finalizers },
      data,
    });
    await apply(object(['a.b/a', 'a.b/b'], { x: '1', y: '2' }));
    await server.session.merge(path, { metadata: { finalizers: ['a.b/a', 'a.b/b', 'a.b/other'] } });
    await apply(object(['a.b/b', 'a.b/c'], { y: '3' }));
    const { metadata, data } = (await server.session.get(path)).body;
    expect(metadata.finalizers).toStrictEqual(['a.b/b', 'a.b/c', 'a.b/other']);
    expect(data).toStrictEqual({ y: '3' });
  });
});
