import { Client } from 'ots-runtime';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { Event, Node, Pod } from 'ots-kubernetes/core/v1';
import { type NodeOptions, TestEnvironment, TestEnvironmentError } from 'ots-testing';
import { expect, onTestFinished, test } from 'vitest';

/** Starts a cluster with a clock that stands still. */
async function start(nodes: number | readonly NodeOptions[], seed = 1) {
  const environment = await TestEnvironment.start({ workloads: { nodes }, clock: 'virtual', seed });
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  const taints = async (name: string): Promise<string[]> => {
    const { spec } = await client.getOrThrow(Node, { name });
    return (spec?.taints ?? []).map(
      ({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`,
    );
  };
  const ready = async (name: string): Promise<string> => {
    const { status } = await client.getOrThrow(Node, { name });
    const { status: value, reason } = status!.conditions!.find(({ type }) => type === 'Ready')!;
    return `${value} ${reason}`;
  };
  return { environment, client, taints, ready };
}

const labels = { app: 'web' };

/** A Deployment whose pods run on different nodes and leave a lost one soon. */
const spread: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};

/** `<node> <ready>`, and whether the pod is being deleted. */
async function podsOf(client: Client): Promise<string[]> {
  const { items } = await client.list(Pod, { namespace: 'default' });
  return items
    .map(({ spec, status, metadata }) => {
      const isReady = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
      return `${spec?.nodeName} ${isReady}${metadata.deletionTimestamp ? ' deleted' : ''}`;
    })
    .toSorted();
}

test('a node whose kubelet stops is lost, and its pods move', async () => {
  const { environment, client, taints, ready } = await start(2);
  await client.create(Deployment, spread);
  await environment.advance('5s');
  expect(await podsOf(client)).toEqual(['node-1 True', 'node-2 True']);

  environment.nodes.stop('node-1');
  await environment.advance('40s');
  expect(await ready('node-1')).toBe('True KubeletReady');
  await environment.advance('15s');
  expect(await ready('node-1')).toBe('Unknown NodeStatusUnknown');
  expect(await taints('node-1')).toEqual(['unreachable:NoSchedule', 'unreachable:NoExecute']);
  expect(await podsOf(client)).toEqual(['node-1 False', 'node-2 True']);

  await environment.advance('5m');
  expect(await podsOf(client)).toEqual(['node-1 False deleted', 'node-2 True', 'node-2 True']);

  environment.nodes.start('node-1');
  await environment.advance('1m');
  expect(await ready('node-1')).toBe('True KubeletReady');
  expect(await taints('node-1')).toEqual([]);
  expect(await podsOf(client)).toEqual(['node-2 True', 'node-2 True']);
});

test('a kubelet reports what a test says about its node', async () => {
  const { environment, client, taints, ready } = await start(2);
  environment.nodes.setReady('node-1', false, 'the disk is gone');
  await environment.settle();
  expect(await ready('node-1')).toBe('False KubeletNotReady');
  expect(await taints('node-1')).toEqual(['not-ready:NoSchedule', 'not-ready:NoExecute']);
  await client.create(Deployment, spread);
  await environment.advance('5s');
  expect(await podsOf(client)).toEqual(['node-2 True', 'node-2 True']);
  environment.nodes.setReady('node-1', true);
  await environment.settle();
  expect(await ready('node-1')).toBe('True KubeletReady');
  expect(await taints('node-1')).toEqual([]);
  const { items } = await client.list(Event, { namespace: 'default' });
  const said = items.filter(
    ({ source, involvedObject }) => source?.component === 'kubelet' && involvedObject.kind === 'Node',
  );
  expect(said.map(({ message }) => message)).toEqual([
    'Node node-1 status is now: NodeNotReady',
    'Node node-1 status is now: NodeReady',
  ]);
});

/** Names of the nodes whose pods are evicted, by when that began, in seconds. */
async function evictions(client: Client, since: number): Promise<Record<string, number>> {
  const { items } = await client.list(Node);
  const found = items.flatMap(({ metadata, spec }) =>
    (spec?.taints ?? []).flatMap(({ effect, timeAdded }) =>
      effect === 'NoExecute' ? [[metadata.name!, (Date.parse(timeAdded!) - since) / 1000]] : [],
    ),
  );
  return Object.fromEntries(found);
}

const zone = (name: string) => ({ labels: { 'topology.kubernetes.io/zone': name } });

test('the nodes of a zone are evicted one after the other, those of different zones at once', async () => {
  const { environment, client } = await start([zone('a'), zone('a'), zone('a'), zone('b'), zone('b')]);
  const since = environment.config.clock!.epoch();
  for (const name of ['node-1', 'node-2', 'node-4']) environment.nodes.stop(name);
  await environment.advance('2m');
  expect(await evictions(client, since)).toEqual({ 'node-1': 50, 'node-2': 60, 'node-4': 50 });
});

test('while many nodes of a small zone are lost, the rest of them is not evicted', async () => {
  const { environment, client, taints } = await start(5);
  const since = environment.config.clock!.epoch();
  for (const name of ['node-1', 'node-2', 'node-3']) environment.nodes.stop(name);
  await environment.advance('10m');
  expect(await evictions(client, since)).toEqual({});
  expect(await taints('node-1')).toEqual(['unreachable:NoSchedule']);
  environment.nodes.start('node-3');
  await environment.advance('1m');
  expect(Object.keys(await evictions(client, since))).toEqual(['node-1', 'node-2']);
});

test('while all nodes are lost, no pod is evicted', async () => {
  const { environment, client, taints, ready } = await start(1);
  await client.create(Deployment, spread);
  await environment.advance('5s');
  environment.nodes.stop('node-1');
  await environment.advance('20m');
  expect(await ready('node-1')).toBe('Unknown NodeStatusUnknown');
  expect(await taints('node-1')).toEqual(['unreachable:NoSchedule']);
  expect(await podsOf(client)).toEqual(['node-1 False', 'node-1 False']);
});

test('nodes survive a restart of the server, and a return to a snapshot', async () => {
  const { environment, client, ready } = await start(2);
  await client.create(Deployment, spread);
  await environment.advance('5s');
  const before = environment.snapshot();
  await environment.restart();
  await environment.advance('5m');
  expect(await ready('node-1')).toBe('True KubeletReady');
  environment.nodes.stop('node-1');
  await environment.advance('2m');
  await environment.restore(before);
  environment.nodes.start('node-1');
  await environment.advance('10m');
  expect(await ready('node-1')).toBe('True KubeletReady');
  expect(await podsOf(client)).toEqual(['node-1 True', 'node-2 True']);
});

test('the same seed loses nodes the same way', async () => {
  const lose = async () => {
    const { environment, client } = await start(3, 7);
    await client.create(Deployment, spread);
    await environment.advance('5s');
    environment.nodes.stop('node-1');
    await environment.advance('10m');
    return environment.trace;
  };
  const [first, second] = [await lose(), await lose()];
  expect(first.length).toBeGreaterThan(50);
  expect(second).toEqual(first);
});

test('a node that does not exist, and an environment without nodes, are errors that say what to do', async () => {
  const { environment } = await start(2);
  const unknown = () => environment.nodes.stop('node-3');
  expect(unknown).toThrow(TestEnvironmentError);
  expect(unknown).toThrow('Node "node-3" does not exist');
  expect(unknown).toThrow(
    expect.objectContaining({ hint: 'Name one of the simulated nodes: node-1, node-2.' }),
  );
  const empty = await TestEnvironment.start({ env: {} });
  onTestFinished(() => empty.stop());
  expect(() => empty.nodes).toThrow('The environment has no nodes');
});

test('a kubelet offers the extended resources that a client adds to the capacity of its node', async () => {
  const { environment, client } = await start(1);
  await client.status.patch(Node, { name: 'node-1' }, { status: { capacity: { 'example.com/gpu': '2' } } });
  const gpus = { 'example.com/gpu': '1' };
  for (const name of ['one', 'two', 'three']) {
    const containers = [{ name: 'app', image: 'app:1', resources: { requests: gpus, limits: gpus } }];
    await client.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default' },
      spec: { containers },
    });
  }
  await environment.advance('10s');
  const { status } = await client.getOrThrow(Node, { name: 'node-1' });
  expect(status?.allocatable).toStrictEqual(status?.capacity);
  expect(await podsOf(client)).toEqual(['node-1 True', 'node-1 True', 'undefined undefined']);
});
