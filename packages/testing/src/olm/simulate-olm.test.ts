import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { Client } from 'ots-runtime';
import { expect, test } from 'vitest';
import { TestEnvironment } from '../environment/test-environment.ts';
import { simulateOlm } from './simulate-olm.ts';

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

test('what exists of OLM stays when it is simulated', async () => {
  await using environment = await TestEnvironment.start({ clock: 'virtual', workloads: true });
  await using client = new Client(environment.config);
  await simulateOlm(environment);
  const versions = async () =>
    (await client.list(CustomResourceDefinition)).items.map(({ metadata }) => metadata.resourceVersion);
  const before = await versions();
  await simulateOlm(environment);
  expect(await versions()).toEqual(before);
});

test('OLM needs nodes', async () => {
  await using environment = await TestEnvironment.start({ clock: 'virtual' });
  await expect(simulateOlm(environment)).rejects.toThrow('has no simulated nodes');
});
