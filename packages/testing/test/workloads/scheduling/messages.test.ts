import { groupBy } from 'ots-apimachinery/group-by';
import { Client } from 'ots-runtime';
import type { KubernetesObject } from 'ots-kubernetes';
import { ReplicaSet } from 'ots-kubernetes/apps/v1';
import { Node, Pod } from 'ots-kubernetes/core/v1';
import { Event } from 'ots-kubernetes/events/v1';
import { type NodeOptions, TestEnvironment } from 'ots-testing';
import { expect, onTestFinished, test } from 'vitest';
import { podOf, priorityClass, requesting, situations, taint } from './situations.ts';

/** Starts a cluster with a clock that stands still. */
async function start(nodes: readonly NodeOptions[], objects: readonly KubernetesObject[] = []) {
  const environment = await TestEnvironment.start({ workloads: { nodes }, objects, clock: 'virtual' });
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  return { environment, client };
}

const unscheduled = (message: string) => ({
  type: 'PodScheduled',
  status: 'False',
  reason: 'Unschedulable',
  message,
  observedGeneration: 1,
  lastProbeTime: null,
  lastTransitionTime: expect.any(String),
});

/** The events of the scheduler about a pod. */
async function eventsAbout(client: Client, name: string) {
  const { items } = await client.list(Event, { namespace: 'default' });
  const about = items.filter(
    ({ regarding, reportingController }) =>
      regarding?.name === name && reportingController === 'default-scheduler',
  );
  return about.map(({ type, reason, action, note }) => [type, reason, action, note]);
}

test.each(situations)('a pod waits: $title', async ({ nodes, cordoned = [], objects = [], pod, message }) => {
  const { environment, client } = await start(nodes, objects);
  for (const name of cordoned) await client.patch(Node, { name }, { spec: { unschedulable: true } });
  // Volumes are bound within 15 s.
  await environment.advance('20s');
  await client.create(Pod, pod);
  await environment.settle();
  const { status } = await client.getOrThrow(Pod, { name: 'app', namespace: 'default' });
  expect(status?.conditions).toEqual([unscheduled(message)]);
  expect(await eventsAbout(client, 'app')).toEqual([['Warning', 'FailedScheduling', 'Scheduling', message]]);
});

test('without any node a pod waits', async () => {
  const { environment, client } = await start([{ name: 'a' }]);
  await client.delete(Node, { name: 'a' });
  await environment.settle();
  await client.create(Pod, podOf('app'));
  await environment.settle();
  const { status } = await client.getOrThrow(Pod, { name: 'app', namespace: 'default' });
  expect(status?.conditions).toEqual([unscheduled('no nodes available to schedule pods')]);
});

test('a pod with gates waits without an event, until the last gate is gone', async () => {
  const { environment, client } = await start([{ name: 'a' }]);
  const gates = [{ name: 'example.com/one' }, { name: 'example.com/two' }];
  await client.create(Pod, podOf('app', { schedulingGates: gates }));
  await environment.settle();
  const key = { name: 'app', namespace: 'default' };
  for (const left of [gates, gates.slice(0, 1)]) {
    await client.patch(Pod, key, { spec: { schedulingGates: left } });
    await environment.settle();
    const { status } = await client.getOrThrow(Pod, key);
    expect(status?.conditions).toEqual([
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
        lastProbeTime: null,
        lastTransitionTime: expect.any(String),
      },
    ]);
    expect(await eventsAbout(client, 'app')).toEqual([]);
  }
  await client.patch(Pod, key, { spec: { schedulingGates: [] } });
  await environment.settle();
  expect(await eventsAbout(client, 'app')).toEqual([
    ['Normal', 'Scheduled', 'Binding', 'Successfully assigned default/app to a'],
  ]);
});

test('a pod with a higher priority makes room for itself, and gets the node when its victims are gone', async () => {
  const high = priorityClass('high', 1000);
  const nodes = [
    { name: 'a', capacity: { cpu: '2' } },
    { name: 'b', taints: [taint('first')] },
  ];
  const { environment, client } = await start(nodes, [high]);
  for (const [name, cpu] of [
    ['small', '1'],
    ['tiny', '500m'],
  ] as const)
    await client.create(Pod, podOf(name, requesting({ cpu })));
  await environment.advance('2s');
  environment.nodes.stop('a');
  await client.create(Pod, podOf('app', { priorityClassName: 'high', ...requesting({ cpu: '1500m' }) }));
  await environment.settle();
  const message = '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).';
  const get = (name: string) => client.getOrThrow(Pod, { name, namespace: 'default' });
  const waiting = await get('app');
  expect(waiting.status?.conditions).toEqual([unscheduled(message)]);
  expect(waiting.status?.nominatedNodeName).toBe('a');
  expect(await eventsAbout(client, 'app')).toEqual([['Warning', 'FailedScheduling', 'Scheduling', message]]);
  const victim = await get('small');
  expect(victim.metadata.deletionTimestamp).toBeDefined();
  expect(victim.status?.conditions).toContainEqual({
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: 'default-scheduler: preempting to accommodate a higher priority pod',
    observedGeneration: 1,
    lastProbeTime: null,
    lastTransitionTime: expect.any(String),
  });
  const note = `Preempted by pod ${waiting.metadata.uid} on node a`;
  expect(await eventsAbout(client, 'small')).toContainEqual(['Normal', 'Preempted', 'Preempting', note]);
  expect((await get('tiny')).metadata.deletionTimestamp).toBeUndefined();

  // The room is the nominated pod's: another one gets none of it.
  await client.create(Pod, podOf('low', requesting({ cpu: '100m' })));
  await environment.settle();
  expect((await get('low')).spec?.nodeName).toBeUndefined();

  // Room that is enough only together with that of the victim.
  await client.delete(Pod, { name: 'tiny', namespace: 'default' }, { gracePeriodSeconds: 0 });
  await client.create(Pod, podOf('more', { nodeName: 'a', ...requesting({ cpu: '500m' }) }));
  await environment.settle();
  expect((await get('app')).status?.conditions).toEqual([
    unscheduled(
      `${message} no new claims to deallocate, preemption: not eligible due to a terminating pod on the nominated node.`,
    ),
  ]);

  environment.nodes.start('a');
  await environment.advance('30s');
  const scheduled = await get('app');
  expect(scheduled.spec?.nodeName).toBe('a');
  expect(scheduled.status?.nominatedNodeName).toBeUndefined();
  const [condition] = scheduled.status!.conditions!.filter(({ type }) => type === 'PodScheduled');
  expect(condition).toMatchObject({ status: 'True' });
  expect((await get('low')).spec?.nodeName).toBeUndefined();
});

test('of nodes that need a preemption, one where no PodDisruptionBudget is violated', async () => {
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'kept', namespace: 'default' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'kept' } } },
  };
  const nodes = ['a', 'b'].map((name) => ({ name, capacity: { cpu: '2' } }));
  const { environment, client } = await start(nodes, [priorityClass('high', 1000), budget]);
  await client.create(Pod, podOf('kept', { nodeName: 'a', ...requesting({ cpu: '1' }) }, { app: 'kept' }));
  await client.create(Pod, podOf('free', { nodeName: 'b', ...requesting({ cpu: '1500m' }) }));
  await environment.advance('2s');
  await client.create(Pod, podOf('app', { priorityClassName: 'high', ...requesting({ cpu: '2' }) }));
  await environment.advance('40s');
  const { items } = await client.list(Pod, { namespace: 'default' });
  expect(items.map(({ metadata, spec }) => `${metadata.name} ${spec?.nodeName}`)).toEqual([
    'app b',
    'kept a',
  ]);
});

const zoned = (name: string, zone: string) => ({ name, labels: { 'topology.kubernetes.io/zone': zone } });

test.each([
  ['nodes', [{ name: 'a' }, { name: 'b' }, { name: 'c' }], 6, { a: 2, b: 2, c: 2 }],
  ['zones', [zoned('a', 'east'), zoned('b', 'east'), zoned('c', 'east'), zoned('d', 'west')], 8, { d: 3 }],
  [
    'nodes of different sizes',
    [8, 4, 2].map((cpu, i) => ({ name: 'abc'[i]!, capacity: { cpu: `${cpu}` } })),
    9,
    { a: 3, b: 3, c: 3 },
  ],
])('the pods of a ReplicaSet spread over %s', async (_what, nodes, replicas, expected) => {
  const labels = { app: 'web' };
  const { environment, client } = await start(nodes);
  await client.create(ReplicaSet, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: requesting({ cpu: '100m' }) },
    },
  });
  await environment.settle();
  const { items } = await client.list(Pod, { namespace: 'default' });
  const groups = groupBy(items, ({ spec }) => spec?.nodeName ?? '');
  expect(Object.fromEntries([...groups].map(([name, pods]) => [name, pods.length]))).toMatchObject(expected);
});
