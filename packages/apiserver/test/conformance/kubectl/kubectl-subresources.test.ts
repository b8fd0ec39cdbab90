import { afterAll, beforeAll, expect, test } from 'vitest';
import { crdOf, installCrd } from '../../support/fixtures.ts';
import { KubectlRunner, hasKubectl } from './kubectl-runner.ts';
import { onEachServer } from '../../support/on-each-server.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const pods = '/api/v1/namespaces/default/pods';
const labels = { app: 'web' };

onEachServer('kubectl and subresources', { skip: !hasKubectl }, (server) => {
  let runner: KubectlRunner;
  beforeAll(async () => {
    runner = await KubectlRunner.create(server.environment);
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await server.session.post(deployments, {
      metadata: { name: 'web' },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    });
    const crd = crdOf('Scaled', { size: { type: 'integer' } });
    crd.spec.versions[0].subresources.scale = {
      specReplicasPath: '.spec.size',
      statusReplicasPath: '.status.size',
    };
    await installCrd(server.session, crd);
    await server.session.post('/api/v1/nodes', { metadata: { name: 'n1' } });
  });
  afterAll(async () => {
    await runner.close();
  });

  /** The error output of a command that fails. */
  async function failure(...parameters: string[]): Promise<string> {
    const error: { stderr?: string; stdout?: string } = await runner.run(...parameters).then(
      (stdout) => ({ stdout }),
      (thrown: { stderr: string }) => thrown,
    );
    return error.stderr ?? `no failure: ${error.stdout}`;
  }

  async function createPod(name: string, node = 'n1'): Promise<void> {
    await server.session.post(pods, {
      metadata: { name, labels: { pod: name } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await server.session.post(`${pods}/${name}/binding`, { metadata: { name }, target: { name: node } });
  }

  test('scale', async () => {
    expect(await runner.run('scale', 'deployment/web', '--replicas=3')).toBe('deployment.apps/web scaled\n');
    expect((await server.session.get(`${deployments}/web`)).body.spec.replicas).toBe(3);
    expect(await failure('scale', 'deployment/web', '--current-replicas=1', '--replicas=4')).toContain(
      'Expected replicas to be 1, was 3',
    );
    expect(await runner.run('scale', 'deploy', 'web', '--replicas=2', '--dry-run=server')).toContain(
      'scaled',
    );
    expect((await server.session.get(`${deployments}/web`)).body.spec.replicas).toBe(3);
    expect(await runner.run('get', 'deployment', 'web', '--subresource=scale')).toMatch(
      /^NAME +DESIRED +AVAILABLE/,
    );
    expect(
      await runner.run(
        'patch',
        'deployment',
        'web',
        '--subresource=scale',
        '--type=merge',
        '-p',
        '{"spec":{"replicas":5}}',
      ),
    ).toContain('patched');
    expect((await server.session.get(`${deployments}/web`)).body.spec.replicas).toBe(5);
  });

  test('scale a custom resource', async () => {
    const path = '/apis/conformance.example.com/v1/namespaces/default/scaleds';
    const body = {
      apiVersion: 'conformance.example.com/v1',
      kind: 'Scaled',
      metadata: { name: 's' },
      spec: { size: 1 },
    };
    await server.session.post(path, body);
    expect(await runner.run('scale', 'scaled/s', '--replicas=7')).toContain('scaled');
    expect((await server.session.get(`${path}/s`)).body.spec.size).toBe(7);
  });

  test('autoscale, in both versions', async () => {
    await runner.run('autoscale', 'deployment', 'web', '--min=2', '--max=6', '--cpu-percent=70');
    const of = (version: string) =>
      runner.run('get', `horizontalpodautoscalers.${version}.autoscaling`, 'web', '-o', 'json');
    const v1 = JSON.parse(await of('v1'));
    expect(v1).toMatchObject({
      apiVersion: 'autoscaling/v1',
      spec: { minReplicas: 2, maxReplicas: 6, targetCPUUtilizationPercentage: 70 },
    });
    const v2 = JSON.parse(await of('v2'));
    expect(v2).toMatchObject({ apiVersion: 'autoscaling/v2', spec: { minReplicas: 2, maxReplicas: 6 } });
    expect(await runner.run('get', 'hpa')).toContain('cpu: <unknown>/70%');
  });

  test('auth can-i and whoami', async () => {
    expect(await runner.run('auth', 'can-i', 'create', 'deployments')).toBe('yes\n');
    expect(await runner.run('auth', 'can-i', '--list')).toMatch(/\*\.\* +\[\] +\[\] +\[\*\]/);
    expect(await runner.run('auth', 'can-i', 'get', '/healthz')).toBe('yes\n');
    expect(await runner.run('auth', 'whoami')).toMatch(/^ATTRIBUTE +VALUE\nUsername +\S+/);
  });

  test('drain evicts pods and waits for budgets', async () => {
    await createPod('drained');
    await runner.run('drain', 'n1', '--force', '--grace-period=0', '--timeout=20s');
    expect((await server.session.get(`${pods}/drained`)).code).toBe(404);
    expect((await server.session.get('/api/v1/nodes/n1')).body.spec.unschedulable).toBe(true);
    await runner.run('uncordon', 'n1');
    await createPod('held');
    await server.session.merge(`${pods}/held/status`, {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
    await runner.run('create', 'pdb', 'held', '--selector=pod=held', '--min-available=1');
    await server.session.merge('/apis/policy/v1/namespaces/default/poddisruptionbudgets/held/status', {
      status: {
        observedGeneration: 1,
        expectedPods: 1,
        currentHealthy: 1,
        desiredHealthy: 1,
        disruptionsAllowed: 0,
      },
    });
    expect(await failure('drain', 'n1', '--force', '--timeout=1s')).toContain(
      "Cannot evict pod as it would violate the pod's disruption budget.",
    );
  });

  test('logs and exec report what is missing', async () => {
    await createPod('streams', 'nowhere');
    expect(await failure('logs', 'streams', '-c', 'other')).toContain(
      'container other is not valid for pod streams',
    );
    expect(await failure('exec', 'streams', '--', 'ls')).toContain('"nowhere" not found');
  });

  test('debug adds an ephemeral container', async () => {
    await createPod('debugged');
    await runner.run('debug', 'debugged', '--image=busybox', '--attach=false', '-c', 'dbg');
    const { ephemeralContainers } = (await server.session.get(`${pods}/debugged`)).body.spec;
    expect(ephemeralContainers.map(({ name }: any) => name)).toStrictEqual(['dbg']);
  });
});
