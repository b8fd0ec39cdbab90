import { Client } from 'ots-runtime';
import { Lease } from 'ots-kubernetes/coordination/v1';
import { Node, Pod } from 'ots-kubernetes/core/v1';
import { Event } from 'ots-kubernetes/events/v1';
import { PriorityClass } from 'ots-kubernetes/scheduling/v1';
import { type Images, type NodeOptions, TestEnvironment, TestEnvironmentError } from 'ots-testing';
import { expect, onTestFinished, test } from 'vitest';

/** Starts a cluster with a clock that stands still. */
async function start(nodes: number | readonly NodeOptions[], images: Images = {}) {
  const environment = await TestEnvironment.start({ workloads: { nodes, images }, clock: 'virtual' });
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  return { environment, client };
}

const podOf = (name: string, spec: Partial<NonNullable<Pod['spec']>> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'app', image: 'app:1' }], ...spec },
});

const requesting = (cpu: string) => ({
  containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu } } }],
});

async function eventsOf(client: Client): Promise<string[]> {
  const { items } = await client.list(Event, { namespace: 'default' });
  return items.flatMap(({ type, reason, note, reportingController }) =>
    reportingController === 'default-scheduler' ? [`${type} ${reason}: ${note}`] : [],
  );
}

test('the scheduler binds a pod to the node that it fits, and says so', async () => {
  const { environment, client } = await start([
    { labels: { zone: 'a' } },
    { name: 'big', labels: { zone: 'b' }, capacity: { cpu: '16' } },
  ]);
  await client.create(Pod, podOf('app', requesting('12')));
  await environment.settle();
  const { spec, status } = await client.getOrThrow(Pod, { name: 'app', namespace: 'default' });
  expect(spec?.nodeName).toBe('big');
  expect(status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'PodScheduled', status: 'True' }),
  );
  expect(await eventsOf(client)).toEqual(['Normal Scheduled: Successfully assigned default/app to big']);
  const [binding] = environment.trace.filter(({ user }) => user === 'system:kube-scheduler');
  expect(binding).toMatchObject({ verb: 'create', resource: 'pods/binding', name: 'app' });
});

test('a pod that fits nowhere waits until something changes', async () => {
  const { environment, client } = await start([
    { taints: [{ key: 'reserved', value: 'yes', effect: 'NoSchedule' }] },
    { capacity: { cpu: '1' } },
  ]);
  await client.create(Pod, podOf('app', requesting('2')));
  await environment.settle();
  const message =
    '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s). ' +
    'no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.';
  const waiting = await client.getOrThrow(Pod, { name: 'app', namespace: 'default' });
  expect(waiting.status?.conditions).toEqual([
    expect.objectContaining({ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }),
  ]);
  expect(await eventsOf(client)).toEqual([`Warning FailedScheduling: ${message}`]);
  await client.patch(Node, { name: 'node-1' }, { spec: { taints: null } });
  await environment.settle();
  const { spec } = await client.getOrThrow(Pod, { name: 'app', namespace: 'default' });
  expect(spec?.nodeName).toBe('node-1');
});

test('of equal pods that wait, as many run as there is room for, and each says why it waits', async () => {
  const { environment, client } = await start([{ capacity: { pods: '2' } }]);
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) await client.create(Pod, podOf(name));
  await environment.settle();
  const states = async () => {
    const { items } = await client.list(Pod, { namespace: 'default' });
    return items.map(({ metadata, spec, status }) => {
      const why = status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message ?? '';
      return `${metadata.name} ${spec?.nodeName ?? /^0\/1 nodes are available: (.*?)\. /.exec(why)?.[1]}`;
    });
  };
  const full = '1 Too many pods';
  expect(await states()).toEqual(['a node-1', 'b node-1', `c ${full}`, `d ${full}`, `e ${full}`]);
  await client.patch(Node, { name: 'node-1' }, { spec: { unschedulable: true } });
  await environment.settle();
  const closed = '1 node(s) were unschedulable';
  expect((await states()).slice(2)).toEqual([`c ${closed}`, `d ${closed}`, `e ${closed}`]);
  await client.delete(Pod, { name: 'a', namespace: 'default' });
  await client.patch(Node, { name: 'node-1' }, { spec: { unschedulable: null } });
  await environment.advance('1m');
  expect(await states()).toEqual(['b node-1', 'c node-1', `d ${full}`, `e ${full}`]);
  await client.delete(Pod, { name: 'd', namespace: 'default' });
  await client.delete(Pod, { name: 'b', namespace: 'default' });
  await environment.advance('1m');
  expect(await states()).toEqual(['c node-1', 'e node-1']);
});

test('a pod whose labels change while it waits does not keep the others waiting', async () => {
  const { environment, client } = await start([{ capacity: { cpu: '3' } }]);
  const [all, ...keys] = ['all', 'a', 'b', 'c'].map((name) => ({
    name,
    namespace: 'default',
  }));
  await client.create(Pod, podOf('all', requesting('3')));
  await environment.settle();
  for (const { name } of keys) await client.create(Pod, podOf(name, requesting('1')));
  await environment.settle();
  await client.patch(Pod, keys[1]!, { metadata: { labels: { tier: 'front' } } });
  await environment.settle();
  await client.delete(Pod, all!, { gracePeriodSeconds: 0 });
  await environment.settle();
  const { items } = await client.list(Pod, { namespace: 'default' });
  expect(items.map(({ spec }) => spec?.nodeName)).toEqual(keys.map(() => 'node-1'));
});

test('nodes register as ready and show that they live', async () => {
  const { environment, client } = await start(2);
  const { items } = await client.list(Node);
  expect(items.map(({ metadata, spec }) => [metadata.name, spec?.taints])).toEqual([
    ['node-1', undefined],
    ['node-2', undefined],
  ]);
  const key = { name: 'node-1', namespace: 'kube-node-lease' };
  const renewTime = async () => Date.parse((await client.getOrThrow(Lease, key)).spec!.renewTime!);
  const before = await renewTime();
  await environment.advance('1m');
  expect((await renewTime()) - before).toBe(60_000);
  const writers = environment.trace.filter(({ name }) => name === 'node-2').map(({ user }) => user);
  expect(new Set(writers)).toEqual(new Set(['system:node:node-2', 'admin']));
});

test.each([
  [-1, 'workloads.nodes is -1'],
  [[{ name: 'a' }, { name: 'a' }], 'Two nodes are named "a"'],
  [[{ name: 'A' }], '"A" is not a name of a node'],
  [[{ capacity: { cpu: 'many' } }], 'The capacity cpu of node "node-1" is "many"'],
])('nodes %j are refused', async (nodes, message) => {
  const starting = TestEnvironment.start({ workloads: { nodes }, env: {} });
  await expect(starting).rejects.toThrow(TestEnvironmentError);
  await expect(starting).rejects.toThrow(message);
});

test('of pods that wait for the same room, the most important ones get it, and others what is left', async () => {
  const { environment, client } = await start(1, { 'slow:*': { terminate: () => new Promise(() => {}) } });
  const create = async (name: string, priorityClassName: string, image = 'app:1') => {
    const containers = [{ name: 'app', image, resources: { requests: { cpu: '4' } } }];
    await client.create(Pod, podOf(name, { priorityClassName, containers }));
    await environment.settle();
  };
  for (const [name, value] of [
    ['low', 1],
    ['medium', 2],
    ['high', 3],
  ] as const)
    await client.create(PriorityClass, {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value,
    });
  for (const name of ['low-1', 'low-2']) await create(name, 'low', 'slow:1');
  for (const name of ['medium-1', 'medium-2']) await create(name, 'medium');
  await create('high', 'high');
  await environment.advance('1m');
  const { items } = await client.list(Pod, { namespace: 'default' });
  const running = items.filter(({ status }) => status?.phase === 'Running').map((pod) => pod.metadata.name);
  expect(running).toHaveLength(2);
  expect(running).toContain('high');
});
