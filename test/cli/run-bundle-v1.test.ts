import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Namespace } from 'ots-kubernetes/core/v1';
import { Client, waitFor } from 'ots-runtime';
import { TestEnvironment, simulateOlm } from 'ots-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanup } from '../../src/commands/cleanup/cleanup.ts';
import { bundle } from '../../src/commands/run/bundle.ts';
import { bundleUpgrade } from '../../src/commands/run/bundle-upgrade.ts';
import type { RunBundleOptions } from '../../src/commands/run/run-bundle-options.ts';
import { ClusterCatalog, ClusterExtension } from '../../src/olm/cluster/kinds.ts';
import { runOnCluster } from '../support/cluster-run.ts';
import { writeBundle } from '../support/olm-bundles.ts';
import { run } from '../support/run.ts';

const namespace = 'tea-house';
const crd = 'pots.tea.example.com';
const replaces = ['  displayName: Tea', '  displayName: Tea\n  replaces: tea.v1.2.3'] as const;
const root = mkdtempSync(path.join(tmpdir(), 'ots-test-'));
const old = writeBundle({}, root);
const next = writeBundle({ version: '1.3.0', csv: [replaces] }, root);
let environment: TestEnvironment;
let client: Client;
let options: RunBundleOptions;

// The tests build on each other.

/** Renders a catalog of bundles, each of which replaces the one before. @returns its directory */
async function writeCatalog(
  ...bundles: readonly (readonly [version: string, directory: string])[]
): Promise<string> {
  const directory = path.join(root, `catalog-${bundles.length}`);
  mkdirSync(directory);
  const entries = bundles.map(([version], index) => ({
    name: `tea.v${version}`,
    ...(index > 0 && { replaces: `tea.v${bundles[index - 1]![0]}` }),
  }));
  const heads = [
    { schema: 'olm.package', name: 'tea', defaultChannel: 'stable' },
    { schema: 'olm.channel', package: 'tea', name: 'stable', entries },
  ];
  const rendered = await Promise.all(
    bundles.map(([version, each]) =>
      run('/', ['catalog', 'render', each, '--image', `example.com/tea-bundle:v${version}`, '--json']),
    ),
  );
  const texts = [...heads.map((each) => JSON.stringify(each)), ...rendered.map(({ stdout }) => stdout)];
  writeFileSync(path.join(directory, 'catalog.json'), texts.join('\n'));
  return directory;
}

beforeAll(async () => {
  environment = await TestEnvironment.start({ workloads: true });
  client = new Client(environment.config, { fieldOwner: 'test' });
  await simulateOlm(environment, {
    version: 'v1',
    images: {
      'example.com/catalog:v1': await writeCatalog(['1.2.3', old]),
      'example.com/catalog:v2': await writeCatalog(['1.2.3', old], ['1.3.0', next]),
      'example.com/tea-bundle:v1.2.3': old,
      'example.com/tea-bundle:v1.3.0': next,
    },
  });
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const kubeconfig = await environment.kubeconfigFile();
  options = { kubeconfig, namespace, timeout: '20s', v1: true, catalogImage: 'example.com/catalog:v1' };
});
afterAll(async () => {
  await client.close();
  await environment.stop();
  rmSync(root, { recursive: true });
});

const ran = (directory: string, more: RunBundleOptions = {}) =>
  runOnCluster(bundle, { ...options, bundle: directory, ...more });
const done = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('waiting for'));

test('the image of the catalog that cannot be pulled is named, and nothing is left', async () => {
  const { code, stderr } = await ran(old, { catalogImage: 'example.com/missing:v1', timeout: '2s' });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: The ClusterCatalog ots-tea-catalog is not served after 2 s: Retrying: .*missing:v1.*\nhint: Check that OLM can pull/,
  );
  expect(await client.get(ClusterCatalog, { name: 'ots-tea-catalog' })).toBeUndefined();
});

test('a bundle that the catalog does not have is refused by OLM, and nothing is left', async () => {
  const { code, stderr } = await ran(next, { timeout: '3s' });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: tea\.v1\.3\.0 is not installed after 3 s: Retrying: .*\nhint: Put the bundle into/,
  );
  expect(await client.get(ClusterExtension, { name: 'ots-tea' })).toBeUndefined();
});

test('webhooks need cert-manager, and single namespaces OLM v0', async () => {
  const webhook = `  webhookdefinitions:
    - {type: ValidatingAdmissionWebhook, generateName: v.example.com, deploymentName: tea, sideEffects: None, admissionReviewVersions: [v1]}
  install:`;
  expect((await ran(writeBundle({ csv: [['  install:', webhook]] }))).stderr).toBe(
    'error: The bundle has webhooks, and the cluster does not have cert-manager\nhint: Install cert-manager: OLM v1 needs it for the certificates of webhooks.\n',
  );
  const own = writeBundle({
    csv: [
      ['{type: AllNamespaces, supported: true}', '{type: AllNamespaces, supported: false}'],
      ['{type: OwnNamespace, supported: false}', '{type: OwnNamespace, supported: true}'],
    ],
  });
  expect((await ran(own)).stderr).toBe(
    'error: tea.v1.2.3 does not support AllNamespaces\nhint: Support it in spec.installModes of the ClusterServiceVersion, or use OLM v0 without --v1.\n',
  );
});

test('run bundle waits for the Deployments, which OLM v1 does not', async () => {
  const { code, stdout, stderr } = await ran(old);
  expect([code, stderr]).toEqual([0, '']);
  expect(done(stdout)).toEqual([
    'clustercatalog.olm.operatorframework.io/ots-tea-catalog created',
    'clusterextension.olm.operatorframework.io/ots-tea created',
    `tea.v1.2.3 runs in the namespace ${namespace}.`,
  ]);
  expect((await ran(old)).stderr).toMatch('error: The ClusterExtension ots-tea already installs tea\n');
});

test('bundle-upgrade serves the newer catalog and installs its version', async () => {
  const { code, stdout, stderr } = await runOnCluster(bundleUpgrade, {
    ...options,
    bundle: next,
    catalogImage: 'example.com/catalog:v2',
  });
  expect([code, stderr]).toEqual([0, '']);
  expect(done(stdout)).toEqual([
    'clustercatalog.olm.operatorframework.io/ots-tea-catalog configured',
    'clusterextension.olm.operatorframework.io/ots-tea configured',
    `tea.v1.3.0 runs in the namespace ${namespace}.`,
  ]);
});

test('cleanup says that OLM v1 cannot keep CRDs, and deletes them when asked', async () => {
  const cleaned = (more: object = {}) => runOnCluster(cleanup, { ...options, package: 'tea', ...more });
  expect((await cleaned()).stderr).toBe(
    `error: With the operator, OLM v1 would delete its CRDs: ${crd}\nhint: OLM v1 cannot keep them. Save the objects of their kinds, and add --delete-crds.\n`,
  );
  const { code, stdout, stderr } = await cleaned({ deleteCrds: true });
  expect([code, stderr]).toEqual([0, '']);
  expect(done(stdout)).toEqual([
    'clusterextension.olm.operatorframework.io/ots-tea deleted',
    'clustercatalog.olm.operatorframework.io/ots-tea-catalog deleted',
  ]);
  await waitFor(async () => !(await client.get(CustomResourceDefinition, { name: crd })));
});
