import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { Client, waitForObject } from 'ots-runtime';
import { expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';
import { ImageDirectories, bundleObjects, catalogBlobs } from '../../test/support/olm-bundle.ts';
import { simulateOlm } from './simulate-olm.ts';
import { CatalogSource, ClusterServiceVersion, Subscription } from './v0/kinds.ts';

const source = (namespace: string, name: string): CatalogSource => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'CatalogSource',
  metadata: { namespace, name },
  spec: { sourceType: 'grpc', image: 'example.com/catalog:v1' },
});

const programs = {
  v0: ['olm/catalog-operator', 'olm/olm-operator', 'olm/packageserver'],
  v1: ['olmv1-system/catalogd-controller-manager', 'olmv1-system/operator-controller-controller-manager'],
} as const;

test.each(['v0', 'v1'] as const)('OLM %s is installed, and its programs become ready', async (version) => {
  await using environment = await TestEnvironment.start({ clock: 'virtual', workloads: true });
  await simulateOlm(environment, { version });
  await environment.advance('1s');
  await using client = new Client(environment.config);
  const { items } = await client.list(Deployment);
  const ready = items.filter(({ status }) => status?.availableReplicas === 1);
  expect(ready.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`)).toEqual(programs[version]);
});

test('what exists of OLM stays when it is simulated again, and nothing happens after it is stopped', async () => {
  await using environment = await TestEnvironment.start({ clock: 'virtual', workloads: true });
  await using client = new Client(environment.config);
  const olm = await simulateOlm(environment);
  const versions = async () =>
    (await client.list(CustomResourceDefinition)).items.map(({ metadata }) => metadata.resourceVersion);
  const before = await versions();
  const again = await simulateOlm(environment);
  expect(await versions()).toEqual(before);
  await again.stop();
  await olm.stop();
  await olm.stop();
  await client.create(CatalogSource, source('olm', 'catalog'));
  await environment.advance('1m');
  expect((await client.get(CatalogSource, { namespace: 'olm', name: 'catalog' }))?.status).toBeUndefined();
});

test('OLM needs nodes', async () => {
  await using environment = await TestEnvironment.start({ clock: 'virtual' });
  await expect(simulateOlm(environment)).rejects.toThrow('has no simulated nodes');
});

// With KUBEBUILDER_ASSETS on a real control plane.
test('OLM works with real time', async () => {
  await using images = await ImageDirectories.create();
  const catalog = await images.catalog(
    'catalog',
    catalogBlobs([{ version: '0.0.1' }], () => ({ inline: bundleObjects() })),
  );
  await using environment = await TestEnvironment.start({ workloads: true });
  await simulateOlm(environment, { images: { 'example.com/catalog:v1': catalog } });
  await using client = new Client(environment.config);
  const namespace = 'operators';
  await client.create(CatalogSource, source(namespace, 'catalog'));
  await client.create(Subscription, {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata: { namespace, name: 'memcached' },
    spec: { source: 'catalog', sourceNamespace: namespace, name: 'memcached-operator' },
  });
  const key = { namespace, name: 'memcached-operator.v0.0.1' };
  const succeeded = (csv: { status?: { phase?: string } } | undefined) => csv?.status?.phase === 'Succeeded';
  expect(await waitForObject(client, ClusterServiceVersion, key, succeeded)).toBeDefined();
});
