import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { Namespace } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { install } from '../../src/commands/olm/install.ts';
import type { OlmOptions } from '../../src/commands/olm/olm-options.ts';
import { status } from '../../src/commands/olm/status.ts';
import { uninstall } from '../../src/commands/olm/uninstall.ts';
import type { Download } from '../../src/olm/cluster/installation/read-manifests.ts';
import { runOnCluster } from '../support/cluster-run.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

// What a release of OLM looks like, with the least that the commands need. The tests build on each other.

const definition = (group: string, version: string, plural: string, kind: string, scope = 'Namespaced') => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope,
    names: { plural, kind },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});
const v0 = 'operators.coreos.com';
const v0Definitions = [
  definition(v0, 'v1alpha1', 'catalogsources', 'CatalogSource'),
  definition(v0, 'v1alpha1', 'clusterserviceversions', 'ClusterServiceVersion'),
  definition(v0, 'v1alpha1', 'installplans', 'InstallPlan'),
  definition(v0, 'v1', 'operatorgroups', 'OperatorGroup'),
  definition(v0, 'v1alpha1', 'subscriptions', 'Subscription'),
];
const v1 = 'olm.operatorframework.io';
const v1Definitions = [
  definition(v1, 'v1', 'clustercatalogs', 'ClusterCatalog', 'Cluster'),
  definition(v1, 'v1', 'clusterextensions', 'ClusterExtension', 'Cluster'),
];
const namespaceObject = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const deployment = (namespace: string, name: string, image = `olm/${name}:v1`) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image }] } },
  },
});
const programs = (image?: string) => [
  namespaceObject('olm'),
  namespaceObject('operators'),
  deployment('olm', 'olm-operator', image),
  deployment('olm', 'catalog-operator'),
  {
    apiVersion: `${v0}/v1`,
    kind: 'OperatorGroup',
    metadata: { name: 'global-operators', namespace: 'operators' },
  },
];
const text = (objects: readonly object[]) => objects.map((object) => stringify(object)).join('---\n');

/** Serves the files of releases. */
const download =
  (files: Readonly<Record<string, readonly object[]>>): Download =>
  (url) => {
    const file = files[url.replace('https://github.com/operator-framework/', '')];
    return file
      ? Promise.resolve(text(file))
      : Promise.reject(new Error('the server responds 404 Not Found'));
  };
const release = 'operator-lifecycle-manager/releases/download/v0.46.0';
const gitHub = download({ [`${release}/crds.yaml`]: v0Definitions, [`${release}/olm.yaml`]: programs() });

let environment: TestEnvironment;
let client: Client;
let options: OlmOptions;

beforeAll(async () => {
  environment = await TestEnvironment.start({
    workloads: { images: { 'olm/broken:*': { exitCode: 1, logs: 'no rights' } } },
  });
  client = new Client(environment.config, { fieldOwner: 'test' });
  options = { kubeconfig: await environment.kubeconfigFile(), timeout: '20s' };
});
afterAll(async () => {
  await client.close();
  await environment.stop();
});

const runWith =
  (command: (of: OlmOptions, context: never, from?: Download) => Promise<void>) =>
  (more: OlmOptions & { force?: boolean } = {}, from = gitHub) =>
    runOnCluster((of: OlmOptions, context) => command(of, context as never, from), { ...options, ...more });
const installed = runWith(install);
const shown = runWith(status);
const removed = runWith(uninstall);

/** Writes manifests into a directory. @returns its path */
function manifests(files: Readonly<Record<string, string>>): string {
  const directory = path.join(temporaryDirectory(), 'olm');
  mkdirSync(directory);
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(directory, name), content);
  return directory;
}

describe('without OLM', () => {
  test('status fails, and uninstall has nothing to do', async () => {
    expect(await shown()).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: OLM v0 is not installed\nhint: Install it with ots olm install.\n',
    });
    expect(await removed()).toEqual({
      code: 0,
      stdout: 'Nothing to do: OLM v0 is not installed\n',
      stderr: '',
    });
  });

  test('a release that does not exist is one line, with the way around it', async () => {
    expect(await installed({ version: '9.9.9' })).toEqual({
      code: 1,
      stdout:
        'Downloading https://github.com/operator-framework/operator-lifecycle-manager/releases/download/v9.9.9/crds.yaml and https://github.com/operator-framework/operator-lifecycle-manager/releases/download/v9.9.9/olm.yaml\n',
      stderr: `error: Cannot download https://github.com/operator-framework/operator-lifecycle-manager/releases/download/v9.9.9/crds.yaml: the server responds 404 Not Found
hint: Check the version and the network, or get the files of OLM's release another way and name them with --manifests.
`,
    });
    expect((await installed({ version: 'latest' })).stderr).toBe(
      'error: "latest" is not a version of OLM v0\nhint: Use one such as 0.46.0.\n',
    );
  });

  test.each([
    ['a directory without YAML', { 'README.md': '' }, /has no YAML files\n/],
    ['YAML that ends early', { 'olm.yaml': 'kind: {' }, /olm\/olm\.yaml: .+\nhint: Get the files/],
    [
      'another YAML file',
      { 'olm.yaml': 'a: 1' },
      /contains something without apiVersion, kind or metadata\.name\n/,
    ],
    [
      'only CRDs',
      { 'crds.yaml': text(v0Definitions) },
      /does not contain OLM v0\nhint: Name the files of a release: crds\.yaml and olm\.yaml\./,
    ],
  ])('%s is refused', async (_, files, message) => {
    const { code, stderr } = await installed({ manifests: manifests(files) });
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  test('OLM v1 needs cert-manager', async () => {
    const certificate = {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: 'olm', namespace: 'olmv1-system' },
    };
    const directory = manifests({
      'olm.yaml': text([
        ...v1Definitions,
        deployment('olmv1-system', 'catalogd-controller-manager'),
        certificate,
      ]),
    });
    expect((await installed({ v1: true, manifests: directory })).stderr).toMatch(
      /^error: OLM v1 needs cert-manager, which the cluster does not have\nhint: Install cert-manager/,
    );
    expect(await client.get(CustomResourceDefinition, { name: `clustercatalogs.${v1}` })).toBeUndefined();
  });
});

test('a dry run shows what would be installed, and installs nothing', async () => {
  const { code, stdout } = await installed({ dryRun: true });
  expect(code).toBe(0);
  expect(stdout).toMatch('deployment.apps/olm-operator created (dry run)\n');
  expect(await client.get(Namespace, { name: 'olm' })).toBeUndefined();
});

test('an installation that fails says why, and the next one finishes it', async () => {
  const broken = manifests({ 'crds.yaml': text(v0Definitions), 'olm.yaml': text(programs('olm/broken:v1')) });
  const failed = await installed({ manifests: broken, timeout: '3s' });
  expect(failed.stderr).toMatch(
    /error: deployment\.apps\/olm-operator is not available after 3 s: pod \S+: container olm-operator: it ended with exit code 1\n/,
  );
  const { stdout: states, stderr } = await shown();
  expect(states).toMatch(/^OLM v0\n {2}customresourcedefinition\S+ established\n/);
  expect(stderr).toMatch(
    'error: OLM v0 is not ready: deployment.apps/olm-operator (0 of 1 pods are available)\nhint: Run ots olm install again',
  );
  const { code, stdout } = await installed();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Downloading https:.*crds\.yaml and https:.*olm\.yaml\n/);
  expect(stdout).toMatch(/OLM v0 runs\.\n$/);
  expect(
    (await client.getOrThrow(Deployment, { name: 'olm-operator', namespace: 'olm' })).status
      ?.availableReplicas,
  ).toBe(1);
});

test('status lists every object with its state, without a download', async () => {
  const none = download({});
  const { code, stdout } = await shown({}, none);
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      'OLM v0',
      `  customresourcedefinition.apiextensions.k8s.io/subscriptions.${v0} established`,
      '  deployment.apps/catalog-operator in olm available',
      '  namespace/operators present',
      `  operatorgroup.${v0}/global-operators in operators present`,
    ]),
  );
  const { states } = JSON.parse((await shown({ json: true }, none)).stdout) as { states: { kind: string }[] };
  expect(states).toContainEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: 'olm',
    name: 'olm-operator',
    state: 'available',
    isReady: true,
  });
});

test('uninstall refuses while OLM has operators, and names them', async () => {
  const subscription = {
    apiVersion: `${v0}/v1alpha1`,
    kind: 'Subscription',
    metadata: { name: 'tea', namespace: 'default' },
  };
  const kind = await client.mapper.kindFor(subscription.apiVersion, subscription.kind);
  await client.create(kind, subscription);
  expect(await removed()).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: OLM still has operators: default/tea
hint: Remove them with ots cleanup first, or add --force to remove them together with OLM.
`,
  });
  const { code, stdout, stderr } = await removed({ force: true });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.indexOf('operatorgroup.')).toBeLessThan(stdout.indexOf('customresourcedefinition'));
  expect(stdout.indexOf('customresourcedefinition')).toBeLessThan(stdout.indexOf('deployment'));
  expect(await client.get(Namespace, { name: 'olm' })).toBeUndefined();
  expect(await client.get(CustomResourceDefinition, { name: `subscriptions.${v0}` })).toBeUndefined();
});

test('an OLM of another program is left alone', async () => {
  for (const object of v1Definitions) await client.create(CustomResourceDefinition, object as never);
  const directory = manifests({
    'olm.yaml': text([...v1Definitions, deployment('olmv1-system', 'catalogd-controller-manager')]),
  });
  expect((await installed({ v1: true, manifests: directory })).stderr).toBe(
    `error: OLM v1 is already installed, but not by ots: it has the CRD clustercatalogs.${v1}
hint: Use it as it is, remove it with what installed it, or take it over with --force-conflicts.
`,
  );
  expect((await removed({ v1: true })).stderr).toBe(
    'error: OLM v1 is installed, but not by ots\nhint: Name what to delete: --version <version> for its release, or --manifests.\n',
  );
  const { stdout, stderr } = await shown({ v1: true });
  expect(stdout).toMatch(/^OLM v1, which ots has not installed\n/);
  expect(stderr).toMatch(
    /^error: OLM v1 is not ready: deployment\.apps\/catalogd-controller-manager \(missing\)/,
  );
});

test('the command line', async () => {
  expect(await run('/', ['olm'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching('ots olm needs a command'),
  });
  expect((await run('/', ['olm', 'install', '--help'])).stdout).toMatch('--manifests <path>');
});
