import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import path from 'node:path';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { ConfigMap, Namespace, type Pod } from 'ots-kubernetes/core/v1';
import { Client, type Kind, defineKind, waitFor } from 'ots-runtime';
import { TestEnvironment, simulateOlm } from 'ots-testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bundle } from '../../src/commands/run/bundle.ts';
import { bundleUpgrade } from '../../src/commands/run/bundle-upgrade.ts';
import type { RunBundleOptions } from '../../src/commands/run/run-bundle-options.ts';
import { type CleanupOptions, cleanup } from '../../src/commands/cleanup/cleanup.ts';
import {
  CatalogSource,
  ClusterServiceVersion,
  InstallPlan,
  OperatorGroup,
  Subscription,
} from '../../src/olm/cluster/kinds.ts';
import type { Context } from '../../src/context.ts';
import { runOnCluster } from '../support/cluster-run.ts';
import { sampleFiles } from '../olm/sample-bundle.ts';
import { writeBundle } from '../support/olm-bundles.ts';
import { RegistryServer } from '../support/registry-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const Pot = defineKind({
  apiVersion: 'tea.example.com/v1',
  kind: 'Pot',
  plural: 'pots',
  scope: 'Namespaced',
});
/** There is no garbage collector, and the API server cannot reach the logs of simulated pods. */
const isReal = Boolean(process.env['KUBEBUILDER_ASSETS']);
const crd = 'pots.tea.example.com';
let environment: TestEnvironment;
let client: Client;
let kubeconfig: string;
let namespace: string;
let count = 0;

beforeAll(async () => {
  environment = await TestEnvironment.start({
    workloads: {
      images: {
        'registry.example.com/tea/crash:*': { exitCode: 3, logs: ['starting', 'fatal: no kettle'] },
        'registry.example.com/opm:broken': { exitCode: 1, logs: 'opm: no such command' },
      },
    },
  });
  client = new Client(environment.config, { fieldOwner: 'test' });
  kubeconfig = await environment.kubeconfigFile();
  await simulateOlm(environment);
});
afterAll(async () => {
  await client.close();
  await environment.stop();
});
beforeEach(async () => {
  namespace = `tea-${++count}`;
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
});

const options = () => ({ kubeconfig, namespace, timeout: '30s' });
const ran = (directory: string, more: RunBundleOptions = {}, context: Partial<Context> = {}) =>
  runOnCluster(bundle, { ...options(), bundle: directory, ...more }, context);
const upgraded = (directory: string, more: RunBundleOptions = {}) =>
  runOnCluster(bundleUpgrade, { ...options(), bundle: directory, ...more });
const cleaned = (more: CleanupOptions = {}) =>
  runOnCluster(cleanup, { ...options(), package: 'tea', ...more });

/** Lines without those that say what the command waits for. */
const done = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('waiting for'));

/** What ots and OLM have made in the namespace. */
async function remains(): Promise<string[]> {
  const kinds = [
    CatalogSource,
    ClusterServiceVersion,
    OperatorGroup,
    Subscription,
    InstallPlan,
    Deployment,
    ConfigMap,
  ];
  const found = await Promise.all(
    kinds.map(async (kind) => (await client.list(kind as Kind<Pod>, { namespace })).items),
  );
  return found
    .flat()
    .filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt' && !metadata.deletionTimestamp)
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

/** Without a garbage collector, what belongs to a Subscription or ClusterServiceVersion stays. */
async function untilGone(): Promise<void> {
  const isOwned = (each: string): boolean => isReal && /^(?:InstallPlan|Deployment tea$)/.test(each);
  await waitFor(async () => (await remains()).every(isOwned));
}

const noKettle = (): string =>
  writeBundle({ csv: [['registry.example.com/tea/operator:v1.2.3', 'registry.example.com/tea/crash:v1']] });

describe('run bundle', () => {
  test('serves a directory to OLM, and waits until the operator runs; cleanup removes it and keeps the CRD', async () => {
    const { code, stdout, stderr } = await ran(writeBundle());
    expect([code, stderr]).toEqual([0, '']);
    expect(done(stdout)).toEqual([
      'configmap/ots-tea-catalog created',
      'service/ots-tea-catalog created',
      'deployment.apps/ots-tea-catalog created',
      'catalogsource.operators.coreos.com/ots-tea-catalog created',
      'operatorgroup.operators.coreos.com/ots created',
      'subscription.operators.coreos.com/ots-tea created',
      `tea.v1.2.3 runs in the namespace ${namespace}.`,
    ]);
    expect((await client.getOrThrow(Deployment, { name: 'tea', namespace })).status?.availableReplicas).toBe(
      1,
    );
    const csv = await client.getOrThrow(ClusterServiceVersion, { name: 'tea.v1.2.3', namespace });
    expect(csv.status?.phase).toBe('Succeeded');

    expect(await ran(writeBundle())).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: tea.v1.2.3 is already installed in ${namespace}
hint: Run ots cleanup tea -n ${namespace} first.
`,
    });

    const removed = await cleaned();
    expect(removed.stderr).toBe('');
    expect(done(removed.stdout)).toEqual([
      'subscription.operators.coreos.com/ots-tea deleted',
      'deployment.apps/ots-tea-catalog deleted',
      'configmap/ots-tea-catalog deleted',
      'service/ots-tea-catalog deleted',
      'catalogsource.operators.coreos.com/ots-tea-catalog deleted',
      'clusterserviceversion.operators.coreos.com/tea.v1.2.3 deleted',
      'operatorgroup.operators.coreos.com/ots deleted',
      `customresourcedefinition.apiextensions.k8s.io/${crd} kept: its objects would be lost; --delete-crds deletes it`,
    ]);
    await untilGone();
    expect(await client.get(CustomResourceDefinition, { name: crd })).toBeDefined();
    expect(await cleaned()).toEqual({
      code: 0,
      stdout: `Nothing to do: the namespace ${namespace} has nothing of the package "tea"\n`,
      stderr: '',
    });
  });

  test('takes an image, too, and says when it cannot be pulled', async () => {
    const registry = await RegistryServer.start();
    onTestFinished(() => registry.close());
    registry.push('tea-bundle', 'v1.2.3', { layers: [sampleFiles] });
    const { code, stdout, stderr } = await ran(`${registry.host}/tea-bundle:v1.2.3`);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`tea.v1.2.3 runs in the namespace ${namespace}.\n`);
    await cleaned();
    await untilGone();
    const missing = await ran(`${registry.host}/tea-bundle:v1.2.4`);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toMatch(/^error: The image .* does not have it\nhint: .*\n$/);
    await untilGone();
  });

  test('--dry-run checks everything and changes nothing, and --json is one document', async () => {
    const dry = await ran(writeBundle(), { dryRun: true, json: true });
    expect(JSON.parse(dry.stdout)).toMatchObject({
      command: 'run bundle',
      dryRun: true,
      namespace,
      package: 'tea',
      bundle: 'tea.v1.2.3',
      channel: 'stable',
      objects: [
        { kind: 'ConfigMap', action: 'created' },
        { kind: 'Service', action: 'created', diff: expect.any(String) },
        { kind: 'CatalogSource', action: 'created' },
        { kind: 'OperatorGroup', action: 'created' },
        { kind: 'Subscription', action: 'created' },
        { kind: 'Deployment', action: 'created' },
      ],
    });
    expect(await remains()).toEqual([]);
  });
});

describe('run bundle-upgrade', () => {
  test('installs the version that replaces the one that runs', async () => {
    await ran(writeBundle());
    const without = await upgraded(writeBundle({ version: '1.3.0' }));
    expect(without).toMatchObject({
      code: 1,
      stderr: `error: tea.v1.3.0 does not upgrade tea.v1.2.3, which is installed
hint: Set spec.replaces: tea.v1.2.3 in its ClusterServiceVersion, or add it to spec.skips or to the annotation olm.skipRange.
`,
    });
    const next = writeBundle({
      version: '1.3.0',
      csv: [['  displayName: Tea', '  displayName: Tea\n  replaces: tea.v1.2.3']],
    });
    const { code, stdout, stderr } = await upgraded(next);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(`tea.v1.3.0 runs in the namespace ${namespace}.\n`);
    const phases = async () =>
      (await client.list(ClusterServiceVersion, { namespace })).items.map(
        ({ metadata, status }) => `${metadata.name} ${status?.phase}`,
      );
    await waitFor(async () => (await phases()).join() === 'tea.v1.3.0 Succeeded');
    expect(await upgraded(next)).toMatchObject({ stderr: expect.stringMatching('already installed') });
    await cleaned();
  });

  test('needs an operator that ots installed', async () => {
    expect(await upgraded(writeBundle())).toMatchObject({
      code: 1,
      stderr: `error: tea is not installed in ${namespace}
hint: Install the version before with ots run bundle, or name its namespace with --namespace.
`,
    });
  });
});

describe('a run that fails', () => {
  test('says why the operator does not start, and leaves nothing behind', async () => {
    const { code, stdout, stderr } = await ran(noKettle(), { timeout: '3s' });
    expect(code).toBe(1);
    if (!isReal) expect(stderr).toMatch('log fatal: no kettle');
    expect(stderr).toMatch(
      /error: tea\.v1\.2\.3 is not installed after 3 s: deployment\.apps\/tea: pod tea-\S+: container manager: it ended with exit code 3\nhint: Fix what the log says/,
    );
    expect(stdout).toMatch('subscription.operators.coreos.com/ots-tea deleted\n');
    await untilGone();
    // So the next run is the first one again.
    expect(await ran(writeBundle())).toMatchObject({ code: 0, stderr: '' });
    await cleaned();
  });

  test('says that the catalog cannot be served, and what to do', async () => {
    const { stderr } = await ran(writeBundle(), {
      timeout: '2s',
      catalogServer: 'registry.example.com/opm:broken',
    });
    expect(stderr).toMatch(
      /error: deployment\.apps\/ots-tea-catalog is not available after 2 s: pod \S+: container catalog: it ended with exit code 1\n/,
    );
    expect(await remains()).toEqual([]);
  });

  test('names the image that the nodes cannot pull', async () => {
    using _ = environment.failures.add({ namespace, labels: 'app=tea' }, { imagePull: 'not found' });
    const { stderr } = await ran(writeBundle(), { timeout: '3s' });
    expect(stderr).toMatch(
      /error: tea\.v1\.2\.3 is not installed after 3 s: deployment\.apps\/tea: pod \S+: container manager: (?:ErrImagePull|ImagePullBackOff): .*\nhint: Push registry\.example\.com\/tea\/operator:v1\.2\.3 to where the nodes pull it, or name another image with another version of the bundle/,
    );
  });

  test('says what is left if the cluster goes away', async () => {
    const { protocol, hostname, port } = new URL(environment.config.server);
    const sockets = new Set<Socket>();
    const proxy = createServer((socket) => {
      const target = connect(Number(port), hostname);
      sockets.add(socket).add(target);
      socket.on('error', () => {}).pipe(target);
      target.on('error', () => {}).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = `${protocol}//127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const file = path.join(temporaryDirectory(), 'kubeconfig');
    writeFileSync(file, readFileSync(kubeconfig, 'utf8').replaceAll(environment.config.server, address));
    const ended = ran(noKettle(), { kubeconfig: file });
    await waitFor(async () => client.get(Subscription, { name: 'ots-tea', namespace }));
    proxy.close();
    for (const socket of sockets) socket.destroy();
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: (?:Cannot reach|The connection) /);
    // The reason is there when the attempt to delete failed, too.
    const command = `run ots cleanup tea -n ${namespace}.`;
    expect(stderr).toMatch(/ is still there(?: \([^\n]+\))?: run /);
    expect(stderr).toContain(`${command}\n`);
    await cleaned();
  });

  test('with --keep, leaves everything, which the next run replaces', async () => {
    await ran(noKettle(), { timeout: '2s', keep: true });
    expect(await remains()).toContain('Subscription ots-tea');
    const { code, stdout, stderr } = await ran(writeBundle());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^waiting for what an earlier run left to be deleted\n/);
    await cleaned();
  });

  test('Ctrl-C deletes what was created', async () => {
    let interrupt: (signal: NodeJS.Signals) => void = () => {};
    const signals: Promise<NodeJS.Signals>[] = [
      new Promise((resolve) => (interrupt = resolve)),
      new Promise(() => {}),
    ];
    const ended = ran(noKettle(), {}, { untilSignal: () => signals.shift()! });
    await waitFor(async () => client.get(Subscription, { name: 'ots-tea', namespace }));
    interrupt('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toBe('Interrupted: what the command had created is deleted.\n');
    await untilGone();
  });
});

describe('is refused before anything changes', () => {
  const group = (name: string, targetNamespaces?: string[]) =>
    client.create(OperatorGroup, {
      apiVersion: OperatorGroup.apiVersion,
      kind: OperatorGroup.kind,
      metadata: { name, namespace },
      spec: targetNamespaces ? { targetNamespaces } : {},
    });

  test('two OperatorGroups', async () => {
    await group('a');
    await group('b');
    expect(await ran(writeBundle())).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: The namespace ${namespace} has several OperatorGroups: a, b
hint: OLM installs nothing there. Delete all but one, or choose another namespace with --namespace.
`,
    });
  });

  test('an OperatorGroup that the operator does not support', async () => {
    await group('own', [namespace]);
    expect((await ran(writeBundle())).stderr).toMatch(
      `error: The OperatorGroup own in ${namespace} needs the install mode OwnNamespace, and tea.v1.2.3 supports AllNamespaces\n`,
    );
  });

  test('an install mode that the operator does not support', async () => {
    expect((await ran(writeBundle(), { installMode: 'SingleNamespace=web' })).stderr).toBe(
      `error: tea.v1.2.3 does not support the install mode SingleNamespace\nhint: Use --install-mode with one of these: AllNamespaces.\n`,
    );
  });

  test('a namespace that does not exist', async () => {
    expect((await ran(writeBundle(), { namespace: 'nowhere' })).stderr).toBe(
      `error: The namespace nowhere does not exist\nhint: Create it with kubectl create namespace nowhere, or choose another one with --namespace.\n`,
    );
  });

  test('a user without rights', async () => {
    await client.raw({
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      body: {
        metadata: { name: `jane-${namespace}` },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
      },
    });
    await client.raw({
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      body: {
        metadata: {
          name: `view-groups-${namespace}`,
          labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' },
        },
        rules: [{ apiGroups: ['operators.coreos.com'], resources: ['*'], verbs: ['get', 'list'] }],
      },
    });
    const jane = await environment.kubeconfigFile({ user: 'jane' });
    const { stderr } = await ran(writeBundle(), { kubeconfig: jane });
    expect(stderr).toMatch(
      `error: In the namespace ${namespace} you may not create or patch configmaps, create or patch services, create or patch deployments, `,
    );
  });

  test('a bundle that OLM could not install', async () => {
    const broken = writeBundle({ files: { 'manifests/more.yaml': 'apiVersion: v1\nkind: [' } });
    const { code, stderr } = await ran(broken);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*manifests\/more\.yaml: .*\nhint: Run ots bundle validate /);
  });

  test('flags of the other OLM', async () => {
    expect(await ran(writeBundle(), { catalogImage: 'example.com/catalog:v1' })).toMatchObject({
      code: 2,
      stderr: `error: --catalog-image is for OLM v1\nhint: Remove it, or add --v1.\n`,
    });
    expect(await ran(writeBundle(), { v1: true })).toMatchObject({
      code: 2,
      stderr: `error: OLM v1 reads catalogs only from images, and --catalog-image is missing
hint: Make one with ots catalog build, docker build and docker push, and name it with --catalog-image.
`,
    });
  });
});

describe('cleanup', () => {
  test('deletes CRDs and their objects only with a yes', async () => {
    await ran(writeBundle());
    await client.create(Pot, {
      apiVersion: Pot.apiVersion,
      kind: Pot.kind,
      metadata: { name: 'green', namespace },
    });
    expect(await cleaned({ deleteCrds: true })).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: With the CRDs the server would delete 1 ${crd}
hint: Delete the objects first, or add --yes to delete them together with the CRDs.
`,
    });
    const { code, stdout } = await cleaned({ deleteCrds: true, yes: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(`customresourcedefinition.apiextensions.k8s.io/${crd} deleted\n`);
    expect(await client.get(CustomResourceDefinition, { name: crd })).toBeUndefined();
  });

  test('needs a package', async () => {
    expect(await runOnCluster(cleanup, options())).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: The package of the operator is missing\n/),
    });
  });
});
