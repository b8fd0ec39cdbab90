import { Lease } from 'ots-kubernetes/coordination/v1';
import { Client } from 'ots-runtime';
import { TestEnvironment, type TestEnvironmentOptions } from 'ots-testing';
import { expect, test } from 'vitest';

const virtual = { clock: 'virtual', workloads: true } as const;
const key = { name: 'node-1', namespace: 'kube-node-lease' };

async function renewed(options: TestEnvironmentOptions) {
  await using environment = await TestEnvironment.start(options);
  await using client = new Client(environment.config);
  await environment.advance(65_432);
  return await client.get(Lease, key);
}

test('a Lease looks the same whether its kubelet renews it by a request or not', async () => {
  const direct = await renewed(virtual);
  const requested = await renewed({ ...virtual, recordRequests: true });
  expect(direct?.spec?.renewTime).toBe('2026-01-01T00:01:00.000000Z');
  expect(direct).toEqual(requested);
});

test('every renewal is a write', async () => {
  await using environment = await TestEnvironment.start(virtual);
  await environment.advance('1m');
  const renewals = environment.trace.filter(({ resource }) => resource.startsWith('leases'));
  expect(renewals.map(({ user, name, time }) => `${user} ${name} ${time % 60_000}`).slice(1, 3)).toEqual([
    'system:node:node-1 node-1 10000',
    'system:node:node-1 node-1 20000',
  ]);
});
