import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deploy } from '../../src/commands/deploy/deploy.ts';
import { buildOf, runOnCluster } from '../support/cluster-run.ts';
import { findBuilders } from './kustomize/builders.ts';

// kubectl and ots deploy agree on what an ApplySet is, on a real kube-apiserver.
const isReal = Boolean(process.env['KUBEBUILDER_ASSETS']);
const hasKubectl = (await findBuilders()).some(({ name }) => name.startsWith('kubectl'));
const project = fileURLToPath(new URL('../golden/jobwatcher', import.meta.url));
const namespace = 'jobwatcher-system';
const parent = { name: 'jobwatcher-applyset', namespace };
const place = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
const role = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'apply-set-role' },
  rules: [],
};
const map = (name: string, inNamespace = namespace) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: inNamespace },
  data: { name },
});
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
  },
};

describe.skipIf(!isReal || !hasKubectl)('an ApplySet of ots', () => {
  let environment: TestEnvironment;
  let client: Client;
  let kubeconfig: string;
  beforeAll(async () => {
    environment = await TestEnvironment.start({ workloads: true });
    client = new Client(environment.config, { fieldOwner: 'test' });
    kubeconfig = await environment.kubeconfigFile();
  });
  afterAll(async () => {
    await client.close();
    await environment.stop();
  });

  const deployed = (...objects: object[]) =>
    runOnCluster(deploy, { cwd: project, kubeconfig }, {}, buildOf([place, deployment, ...objects]));
  const kubectl = (...objects: object[]) =>
    execa(
      'kubectl',
      [
        '--kubeconfig',
        kubeconfig,
        '--namespace',
        namespace,
        'apply',
        '--server-side',
        '--prune',
        '--applyset',
        parent.name,
        '--filename=-',
      ],
      {
        input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [place, deployment, ...objects] }),
        env: { KUBECTL_APPLYSET: 'true' },
        reject: false,
      },
    );
  const handOverTo = (tool: string) =>
    client.patch(Secret, parent, {
      metadata: { annotations: { 'applyset.kubernetes.io/tooling': tool } },
    } as never);

  test('is not changed by kubectl', async () => {
    expect(await deployed(map('a'), map('b'), map('c', 'default'), role)).toMatchObject({ code: 0 });
    const { stderr, exitCode } = await kubectl(map('a'));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('managed by tooling "ots" instead of "kubectl"');
  });

  test('is one for kubectl: it prunes the members in all namespaces, and of the cluster', async () => {
    await handOverTo('kubectl/v1.36');
    const { stdout, exitCode } = await kubectl(map('a'));
    expect(exitCode).toBe(0);
    const pruned = stdout.split('\n').filter((line) => line.endsWith(' pruned'));
    expect(pruned.toSorted()).toEqual([
      'clusterrole.rbac.authorization.k8s.io/apply-set-role pruned',
      'configmap/b pruned',
      'configmap/c pruned',
    ]);
  });

  test('finds what kubectl has added to it', async () => {
    expect(await kubectl(map('a'), map('d'))).toMatchObject({ exitCode: 0 });
    await handOverTo('ots/v0.1.0');
    const { stdout, stderr, code } = await deployed(map('a'));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('configmap/a unchanged\n');
    expect(stdout).toContain('configmap/d pruned\n');
    expect(await client.get(ConfigMap, { name: 'd', namespace })).toBeUndefined();
  });
});
