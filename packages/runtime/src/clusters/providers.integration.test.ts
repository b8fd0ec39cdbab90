import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestEnvironment } from 'ots-testing';
import { type KubernetesObject, defineKind } from 'ots-kubernetes';
import { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import { beforeAll, afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import { requestKey } from '../controller/request-key.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { clusterProfiles } from './cluster-profiles.ts';
import type { ClusterProvider } from './cluster-provider.ts';
import { Clusters } from './clusters.ts';
import { kubeconfigContexts } from './kubeconfig-contexts.ts';
import { secretClusters } from './secret-clusters.ts';

// The manager's own cluster is the embedded API server, or a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(fileURLToPath(new URL('../../test/profile-crds', import.meta.url)));
let other: TestEnvironment;
let kubeconfig: string;
let namespace: string;

beforeAll(async () => {
  const labeled: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'there', namespace: 'default' },
  };
  other = await TestEnvironment.start({ objects: [labeled], env: {} });
  kubeconfig = await other.kubeconfigFor({ user: 'admin', groups: ['system:masters'] });
}, 60_000);

afterAll(() => other.stop());

beforeEach(async () => {
  namespace = await server.createNamespace();
});

/** Runs a manager whose controller sees the ConfigMaps of its clusters. */
async function run(provider: ClusterProvider) {
  const manager = await server.createManager(namespace);
  const clusters = new Clusters(manager, { provider });
  const seen = new Set<string>();
  new ControllerBuilder(clusters)
    .for(ConfigMap)
    .complete(async (request) => void seen.add(requestKey(request)));
  manager.start().catch(() => {});
  await manager.ready;
  return { manager, clusters, seen };
}

const secretOf = (
  name: string,
  data: Record<string, string>,
  labels: Record<string, string> = { 'sigs.k8s.io/multicluster-runtime-kubeconfig': 'true' },
): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, labels },
  data: Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  ),
});

const withUser = (user: Record<string, unknown>): string =>
  stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: other.config.server } }],
    users: [{ name: 'u', user }],
  });

describe('secretClusters', () => {
  test('clusters join, change and leave with their Secrets', async () => {
    const { client } = server;
    await client.create(Secret, secretOf('east', { kubeconfig }));
    await client.create(Secret, secretOf('unrelated', { kubeconfig }, {}));
    const { clusters, seen, manager } = await run(secretClusters({ namespace }));
    await waitFor(() => seen.has('east//default/there'));
    await manager.idle();
    expect(clusters.names).toEqual(['east']);
    await client.create(Secret, secretOf('west', { kubeconfig }));
    await waitFor(() => seen.has('west//default/there'));
    await client.delete(Secret, { name: 'east', namespace });
    await waitFor(() => clusters.names.length === 1);
    expect(clusters.names).toEqual(['west']);
    expect(clusters.problems()).toEqual([]);
  });

  test('a Secret that runs a program, reads a file or is not a kubeconfig is a problem, and stops no other', async () => {
    const { client } = server;
    const exec = {
      exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: ['/tmp/x'] },
    };
    await client.create(Secret, secretOf('program', { kubeconfig: withUser(exec) }));
    await client.create(Secret, secretOf('file', { kubeconfig: withUser({ tokenFile: '/etc/passwd' }) }));
    await client.create(Secret, secretOf('garbage', { kubeconfig: '{' }));
    await client.create(Secret, secretOf('empty', {}));
    await client.create(Secret, secretOf('works', { kubeconfig }));
    const { clusters, seen } = await run(secretClusters({ namespace }));
    await waitFor(() => seen.has('works//default/there'));
    expect(clusters.names).toEqual(['works']);
    expect(clusters.problems().map((problem) => problem.split(': ')[0])).toEqual(
      expect.arrayContaining(['program', 'file', 'garbage', 'empty']),
    );
    expect(clusters.problems().join('\n')).toMatch(/program: .*it has exec, which would run a program/);
    // A repaired one joins; one that is broken later keeps the connection that it has.
    const fixed = secretOf('garbage', { kubeconfig });
    await client.patch(Secret, { name: 'garbage', namespace }, { data: fixed.data! });
    await waitFor(() => seen.has('garbage//default/there'));
    const broken = secretOf('works', { kubeconfig: withUser(exec) });
    await client.patch(Secret, { name: 'works', namespace }, { data: broken.data! });
    await waitFor(() => clusters.problems().some((problem) => problem.startsWith('works: ')));
    expect(clusters.names).toEqual(['works', 'garbage']);
    expect(
      await clusters.get('works').apiReader.get(ConfigMap, { name: 'there', namespace: 'default' }),
    ).toBeDefined();
  });

  test('labels and field can be those of another tool, and controllers may watch other Secrets', async () => {
    const { client } = server;
    const label = { 'cluster.x-k8s.io/cluster-name': 'prod' };
    await client.create(Secret, secretOf('prod-kubeconfig', { value: kubeconfig }, label));
    await client.create(Secret, secretOf('mine', {}, {}));
    const manager = await server.createManager(namespace);
    const provider = secretClusters({
      namespace,
      labelSelector: 'cluster.x-k8s.io/cluster-name',
      key: 'value',
    });
    const clusters = new Clusters(manager, { provider });
    const own: string[] = [];
    new ControllerBuilder(manager).for(Secret).complete(async ({ name }) => void own.push(name));
    manager.start().catch(() => {});
    await manager.ready;
    await manager.idle();
    expect(clusters.names).toEqual(['prod-kubeconfig']);
    expect(own.toSorted()).toEqual(['mine', 'prod-kubeconfig']);
  });
});

describe('clusterProfiles', () => {
  interface Profile extends KubernetesObject {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1';
    kind: 'ClusterProfile';
    spec: { clusterManager: { name: string } };
    status?: { conditions: { type: string; status: string; reason: string; message: string }[] };
  }
  const Profile = defineKind<Profile>({
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    plural: 'clusterprofiles',
    scope: 'Namespaced',
  });
  const profile = (name: string): Profile => ({
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { name, namespace },
    spec: { clusterManager: { name: 'test' } },
  });
  const health = (name: string, status: string) =>
    server.client.status.patch(
      Profile,
      { name, namespace },
      {
        status: {
          conditions: [{ type: 'ControlPlaneHealthy', status, reason: 'Test', message: 'as tested' }],
        },
      },
    );
  const access = (name: string, consumer = 'me') =>
    secretOf(
      `${name}-${consumer}`,
      { Config: kubeconfig },
      { 'x-k8s.io/cluster-inventory-consumer': consumer, 'x-k8s.io/cluster-profile': name },
    );

  test('a profile joins when it is healthy and the consumer has access, and stays when it becomes unhealthy', async () => {
    const { client } = server;
    for (const name of ['east', 'sick', 'closed']) await client.create(Profile, profile(name));
    for (const name of ['east', 'closed']) await health(name, 'True');
    await health('sick', 'False');
    for (const name of ['east', 'sick']) await client.create(Secret, access(name));
    await client.create(Secret, access('closed', 'another'));
    const { clusters, seen } = await run(clusterProfiles({ namespace, consumer: 'me' }));
    await waitFor(() => seen.has('east//default/there'));
    expect(clusters.names).toEqual(['east']);
    expect(clusters.problems().toSorted()).toEqual([
      'closed: The consumer has no Secret for the ClusterProfile closed',
      'sick: The condition ControlPlaneHealthy of the ClusterProfile sick is False: as tested',
    ]);
    await health('sick', 'True');
    await waitFor(() => seen.has('sick//default/there'));
    await health('east', 'False');
    await waitFor(() => clusters.problems().some((problem) => problem.startsWith('east: ')));
    expect(clusters.names).toEqual(['east', 'sick']);
    await client.delete(Profile, { name: 'east', namespace });
    await waitFor(() => clusters.names.length === 1);
    expect(clusters.names).toEqual(['sick']);
  });
});

describe('kubeconfigContexts', () => {
  const contexts = (names: string[], user: object = { token: 'unused' }): string =>
    stringify({
      contexts: names.map((name) => ({ name, context: { cluster: 'c', user: 'u' } })),
      clusters: [{ name: 'c', cluster: { server: other.config.server } }],
      users: [{ name: 'u', user }],
    });

  async function folder(): Promise<string> {
    const made = await mkdtemp(path.join(tmpdir(), 'ots-contexts-'));
    onTestFinished(() => rm(made, { recursive: true }));
    return made;
  }

  test('contexts that match are clusters, and they follow the file', async () => {
    const file = path.join(await folder(), 'config');
    await writeFile(file, contexts(['prod-1', 'test', 'prod-2']));
    const clock = new VirtualClock();
    const manager = await Manager.create(
      {
        connection: server.config,
        logger: createLogger({ level: 'silent' }),
        cache: { namespaces: [namespace] },
      },
      { clock },
    );
    onTestFinished(() => manager.stop());
    const clusters = new Clusters(manager, { provider: kubeconfigContexts({ file, contexts: /^prod-/ }) });
    const seen = new Set<string>();
    new ControllerBuilder(clusters)
      .for(ConfigMap)
      .complete(async (request) => void seen.add(requestKey(request)));
    manager.start().catch(() => {});
    await manager.ready;
    await waitFor(() => seen.size === 2);
    expect([...seen].toSorted()).toEqual(['prod-1//default/there', 'prod-2//default/there']);
    // Half written, then whole.
    await writeFile(file, '{');
    await clock.advance(10_000);
    await writeFile(file, contexts(['prod-2', 'prod-3']));
    await waitFor(async () => {
      await clock.advance(10_000);
      return seen.has('prod-3//default/there');
    });
    expect(clusters.names).toEqual(['prod-2', 'prod-3']);
  });

  test('a file that cannot be read at the start stops the manager', async () => {
    const manager = await server.createManager(namespace);
    const provider = kubeconfigContexts({ file: path.join(await folder(), 'missing') });
    const clusters = new Clusters(manager, { provider });
    await expect(manager.start()).rejects.toThrow('Cannot read the kubeconfig');
    expect(clusters.names).toEqual([]);
  });
});
