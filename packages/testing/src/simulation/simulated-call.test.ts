import { Deployment } from 'ots-kubernetes/apps/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import { expect, onTestFinished, test } from 'vitest';
import { TestEnvironment, type TestEnvironmentOptions } from '../environment/test-environment.ts';

const controller = 'system:serviceaccount:kube-system:replicaset-controller';
const labels = { app: 'web' };

async function start(options: TestEnvironmentOptions = {}) {
  const environment = await TestEnvironment.start({ env: {}, clock: 'virtual', workloads: true, ...options });
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  const deploy = () =>
    client.create(Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
      },
    });
  const pods = async () => (await client.list(Pod, { namespace: 'default' })).items;
  return { environment, deploy, pods };
}

test('components write the same with calls as with requests', async () => {
  const [called, requested] = await Promise.all([start(), start({ recordRequests: true })]);
  const written = [called, requested].map(async ({ environment, deploy }) => {
    await deploy();
    await environment.advance('1m');
    const writes = environment.trace.map(({ user, verb, resource }) => `${user}: ${verb} ${resource}`);
    // Events depend on the order, and nodes renew their Leases without requests.
    return [...new Set(writes)].filter((write) => !/ (events|leases)/.test(write)).toSorted();
  });
  const [byCalls, byRequests] = await Promise.all(written);
  expect(byCalls).toContain(`${controller}: create pods`);
  expect(byCalls).toEqual(byRequests);
  const managers = async ({ pods }: typeof called) =>
    (await pods()).map(({ metadata, status }) => [
      status?.phase,
      metadata.managedFields?.map(({ manager, subresource }) => [manager, subresource]),
    ]);
  expect(await managers(called)).toEqual(await managers(requested));
});

test('a fault meets the components that it concerns, and others still write', async () => {
  const { environment, deploy, pods } = await start();
  const fault = environment.faults.add({ user: controller, verbs: ['create'] }, { answer: 'InternalError' });
  await deploy();
  await environment.advance('10s');
  expect(fault.hits).toBeGreaterThan(0);
  expect(await pods()).toEqual([]);
  fault.remove();
  await environment.advance('1m');
  expect((await pods()).map(({ status }) => status?.phase)).toEqual(['Running', 'Running', 'Running']);
});
