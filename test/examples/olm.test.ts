import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copySync } from 'fs-extra/esm';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { Client, waitFor } from 'ots-runtime';
import { TestEnvironment, simulateOlm } from 'ots-testing';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { cleanup } from '../../src/commands/cleanup/cleanup.ts';
import { generateBundleFiles } from '../../src/commands/generate/generate-bundle.ts';
import { bundleUpgrade } from '../../src/commands/run/bundle-upgrade.ts';
import { bundle } from '../../src/commands/run/bundle.ts';
import { runOnCluster } from '../support/cluster-run.ts';
import { type EditableProject, copyOf } from '../support/copy-of.ts';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const image = 'example.com/memcached-operator-bundle';

/** The memcached operator, as its author has it. */
function memcached(): EditableProject {
  const project = copyOf({
    directory: fileURLToPath(new URL('../../examples/memcached', import.meta.url)),
  });
  symlinkSync(modules, join(project.directory, 'node_modules'));
  return project;
}

/** Makes the bundle of a version, as scripts/bundle.mjs does, without kustomize. */
async function release(project: EditableProject, version: string): Promise<void> {
  expect(await project.succeed('generate', 'kustomize-manifests')).toMatch(/^Nothing to do/);
  const options = { version, channels: ['stable'], strict: true, image: `example.com/operator:v${version}` };
  const { code, stderr } = await runOnCluster(generateBundleFiles, options, { cwd: project.directory });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

describe('the bundle of memcached', () => {
  test('passes every validator without a warning', async () => {
    const project = memcached();
    await release(project, '0.0.1');
    expect(await project.succeed('bundle', 'validate', 'bundle', '--all', '--strict')).toBe(
      'memcached-operator.v0.0.1 is valid\n',
    );
  });

  test('passes the six tests of scorecard, without a suggestion', async () => {
    const project = memcached();
    await release(project, '0.0.1');
    const { items } = JSON.parse(await project.succeed('scorecard', 'bundle', '--output', 'json'));
    const results = items.flatMap(({ status }: any) => status.results);
    expect(results.filter(({ state }: any) => state !== 'pass')).toEqual([]);
    expect(results.map(({ name }: any) => name).toSorted()).toEqual([
      'basic-check-spec',
      'olm-bundle-validation',
      'olm-crds-have-resources',
      'olm-crds-have-validation',
      'olm-spec-descriptors',
      'olm-status-descriptors',
    ]);
  });

  test('runs with OLM, is upgraded and cleaned up', async () => {
    const project = memcached();
    await using environment = await TestEnvironment.start({ workloads: true, env: {} });
    await simulateOlm(environment);
    const options = { kubeconfig: await environment.kubeconfigFile(), namespace: 'default', timeout: '30s' };
    const onOlm = async (command: typeof bundle) =>
      runOnCluster(command, { ...options, bundle: 'bundle' }, { cwd: project.directory });
    const imageThatRuns = async () => {
      const [{ spec } = {}] = (await client.list(Deployment, { namespace: 'default' })).items.filter(
        ({ metadata }) => metadata.name === 'memcached-operator-controller-manager',
      );
      return spec?.template.spec?.containers[0]?.image;
    };
    const client = new Client(environment.config);

    await release(project, '0.0.1');
    expect(await onOlm(bundle)).toMatchObject({ code: 0, stderr: '' });
    expect(await imageThatRuns()).toBe('example.com/operator:v0.0.1');

    const base = 'config/manifests/bases/memcached-operator.clusterserviceversion.yaml';
    project.change(base, (text) => text.replace(/^spec:$/m, 'spec:\n  replaces: memcached-operator.v0.0.1'));
    await release(project, '0.0.2');
    expect(await onOlm(bundleUpgrade)).toMatchObject({ code: 0, stderr: '' });
    expect(await imageThatRuns()).toBe('example.com/operator:v0.0.2');

    const cleaned = await runOnCluster(cleanup, { ...options, package: 'memcached-operator' });
    expect(cleaned).toMatchObject({ code: 0, stderr: '' });
    await waitFor(async () => (await imageThatRuns()) === undefined);
    const crd = { name: 'memcacheds.cache.example.com' };
    expect(await client.get(CustomResourceDefinition, crd)).toBeDefined();
    await client.close();
  });
});

test('memcached is upgraded from v0.0.1 to v0.0.2', async () => {
  const project = memcached();
  await release(project, '0.0.1');
  copySync(join(project.directory, 'bundle'), join(project.directory, 'releases/v0.0.1'));
  await release(project, '0.0.2');
  const validate = ['bundle', 'validate', 'bundle', '--all', '--strict', '--upgrade-from', 'releases/v0.0.1'];
  expect(await project.succeed(...validate)).toBe('memcached-operator.v0.0.2 is valid\n');

  project.change('catalog-template.yaml', (text) => `${text}    - image: ./releases/v0.0.1\n`);
  await project.succeed('catalog', 'build', 'catalog-template.yaml', '--image', `${image}:v{version}`);
  await project.succeed('catalog', 'validate', 'catalog');
  const objects = parseAllDocuments(project.read('catalog/catalog.yaml')).map((each) => each.toJS());
  expect(objects.filter(({ schema }) => schema === 'olm.channel')).toEqual([
    {
      schema: 'olm.channel',
      package: 'memcached-operator',
      name: 'stable-v0',
      entries: [
        { name: 'memcached-operator.v0.0.1' },
        { name: 'memcached-operator.v0.0.2', skips: ['memcached-operator.v0.0.1'] },
      ],
    },
  ]);
  expect(objects.filter(({ schema }) => schema === 'olm.bundle').map((each) => each.image)).toEqual([
    `${image}:v0.0.1`,
    `${image}:v0.0.2`,
  ]);
  expect(await project.succeed('catalog', 'graph', 'catalog')).toContain(
    '◉ memcached-operator.v0.0.2  head\n      skips memcached-operator.v0.0.1\n',
  );

  // A limit that objects may exceed.
  project.change('src/api/v1alpha1/memcached.ts', (text) => text.replace('@maximum 5', '@maximum 4'));
  await project.succeed('manifests');
  await release(project, '0.0.3');
  const { code, stdout } = await project.run(...validate);
  expect(code).toBe(1);
  expect(stdout).toContain('size');
});
