import { Event, Pod } from 'ots-kubernetes/core/v1';
import { Client, waitFor } from 'ots-runtime';
import { type Images, TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { podOf } from '../support/start-node.ts';

const inDefault = { name: 'app', namespace: 'default' };
const never = new Promise<never>(() => {});
const images: Images = { 'app:*': { http: () => never, exec: () => never } };
const pause = { sleep: { seconds: 600 } };

/** What a kubelet waits for when the cluster stops. */
const waits = {
  'a probe': { readinessProbe: { httpGet: { port: 80 }, timeoutSeconds: 600 } },
  'a pause after the start': { lifecycle: { postStart: pause } },
  'a command after the start': { lifecycle: { postStart: { exec: { command: ['init'] } } } },
  'a pause before the end': { lifecycle: { preStop: pause } },
} as const;
const clocks = ['virtual', 'system'] as const;
const cases = Object.keys(waits).flatMap((name) => clocks.map((clock) => [name, clock] as const));

test.each(cases)('a cluster stops during %s, clock %s', async (name, clock) => {
  const environment = await TestEnvironment.start({ clock, env: {}, workloads: { images } });
  await using client = new Client(environment.config);
  const hasEvent = (wanted: string) =>
    waitFor(async () => {
      const { items } = await client.list(Event, { namespace: 'default' });
      return items.some(({ reason }) => reason === wanted);
    });
  // The kubelet turns to the second one when the wait for the first one ends.
  const wait = waits[name as keyof typeof waits];
  const containers = ['app', 'sidecar'].map((container) => ({ name: container, image: 'app:1', ...wait }));
  const spec = { containers, terminationGracePeriodSeconds: 900 };
  await client.create(Pod, { ...podOf('app'), spec });
  await hasEvent('Started');
  if (name === 'a pause before the end') {
    await client.delete(Pod, inDefault);
    await hasEvent('Killing');
  }
  expect(await client.get(Pod, inDefault)).toBeDefined();
  await environment.stop();
});

test('a cluster writes its events before it stops, however slow the server is', async () => {
  const environment = await TestEnvironment.start({
    clock: 'virtual',
    workloads: true,
    recordRequests: true,
  });
  await using client = new Client(environment.config);
  environment.faults.add({ verbs: ['create'], resource: 'events' }, { latency: '30s' });
  await client.create(Pod, { ...podOf('app'), spec: { containers: [{ name: 'app', image: 'app:1' }] } });
  await environment.settle();
  const written = async () =>
    (await environment.requests.all()).filter(({ resource, code }) => resource === 'events' && code === 201);
  expect(await written()).toEqual([]);
  await environment.stop();
  // Scheduled, Pulling, Pulled, Created and Started.
  expect(await written()).toHaveLength(5);
});
