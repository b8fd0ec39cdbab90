import { inspect } from 'node:util';
import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { ConfigMap, PersistentVolume, PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import { Client } from 'ots-runtime';
import { type Application, TestEnvironment, type TestEnvironmentOptions } from 'ots-testing';
import { expect, onTestFinished, test } from 'vitest';

const namespace = 'default';
const key = (name: string) => ({ name, namespace });
type Volume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];

/** Counts its starts on a volume. */
const counter: Application = ({ volume, pod, log }) => {
  const data = volume('data');
  data.set('starts', [...(data.get('starts')?.split(' ') ?? []), pod.metadata.name].join(' '));
  log(data.get('starts')!);
  return { http: () => new Response(data.get('starts')) };
};
const options = { clock: 'virtual', workloads: { images: { 'counter:*': counter } } } as const;

async function start(given: TestEnvironmentOptions = options) {
  const environment = await TestEnvironment.start(given);
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  const run = async (name: string, volume: Partial<Volume>, nodeName?: string) => {
    const spec = podWith({ name: 'data', ...volume });
    await client.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: key(name),
      spec: { ...spec, ...(nodeName !== undefined && { nodeName }) },
    });
    await environment.advance('5s');
  };
  const restart = async (name: string) => {
    const crash = environment.failures.add({ name }, { crashAfter: '1s' });
    await environment.advance('1s');
    crash.remove();
    await environment.advance('1m');
  };
  const starts = async (name: string): Promise<string> => {
    const { status } = await client.getOrThrow(Pod, key(name));
    return (await environment.network.fetch(`http://${status!.podIP}:80`)).text();
  };
  const logOf = (name: string) =>
    client.raw<string>({ path: `/api/v1/namespaces/default/pods/${name}/log`, responseType: 'text' });
  return { environment, client, run, restart, starts, logOf };
}

const podWith = (volume: Volume) => ({
  containers: [{ name: 'counter', image: 'counter:1' }],
  volumes: [volume],
});

const claim = (name: string, spec: PersistentVolumeClaim['spec'] = {}): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: key(name),
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const claimed = (claimName: string) => ({ persistentVolumeClaim: { claimName } });

const database: StatefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: key('db'),
  spec: {
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: { metadata: { labels: { app: 'db' } }, spec: { containers: podWith({ name: '' }).containers } },
    volumeClaimTemplates: [claim('data')],
  },
};

/** A StatefulSet with one pod, which has started twice. */
async function startDatabase() {
  const cluster = await start();
  const { client, environment } = cluster;
  await client.create(StatefulSet, database);
  await environment.advance('10s');
  await client.delete(Pod, key('db-0'));
  await environment.advance('10s');
  return cluster;
}

test('data outlives containers and pods, and goes with its claim', async () => {
  const { client, environment, restart, starts } = await startDatabase();
  expect(await starts('db-0')).toBe('db-0 db-0');
  await restart('db-0');
  expect(await starts('db-0')).toBe('db-0 db-0 db-0');

  await client.delete(PersistentVolumeClaim, key('data-db-0'));
  await client.delete(Pod, key('db-0'));
  await environment.advance('1m');
  expect(await starts('db-0')).toBe('db-0');
});

test('what has the same volume has the same data', async () => {
  const { client, run, starts } = await start();
  await client.create(PersistentVolumeClaim, claim('shared'));
  await run('first', claimed('shared'));
  await run('second', claimed('shared'));
  expect([await starts('first'), await starts('second')]).toEqual(['first second', 'first second']);
});

test('a volume that is retained has its data for the next claim', async () => {
  const { client, environment, run, starts } = await start();
  await client.create(PersistentVolumeClaim, claim('old'));
  await run('first', claimed('old'));
  const [{ metadata }] = (await client.list(PersistentVolume)).items as [PersistentVolume];
  const volume = { name: metadata.name! };
  await client.patch(PersistentVolume, volume, { spec: { persistentVolumeReclaimPolicy: 'Retain' } });
  await client.delete(Pod, key('first'));
  await client.delete(PersistentVolumeClaim, key('old'));
  await environment.advance('10s');
  await client.patch(PersistentVolume, volume, { spec: { claimRef: null } });
  await client.create(PersistentVolumeClaim, claim('new', { volumeName: volume.name }));
  await run('second', claimed('new'));
  expect(await starts('second')).toBe('first second');
});

test('an emptyDir goes with its pod', async () => {
  const { client, environment, run, restart, starts } = await start();
  await run('app', { emptyDir: {} });
  await restart('app');
  expect(await starts('app')).toBe('app app');
  await client.delete(Pod, key('app'));
  await environment.advance('1m');
  await run('app', { emptyDir: {} });
  expect(await starts('app')).toBe('app');
});

test('a snapshot has the data of that moment, for any number of clusters', async () => {
  const first = await startDatabase();
  // As a worker thread receives it.
  const from = structuredClone(first.environment.snapshot());
  const copies = [await start({ ...options, from }), await start({ ...options, from })];
  for (const { environment } of copies) await environment.settle();
  // The applications have started again, and their containers have not.
  expect(await copies[0]!.starts('db-0')).toBe('db-0 db-0 db-0');
  await copies[0]!.client.delete(Pod, key('db-0'));
  await copies[0]!.environment.advance('1m');
  const starts = [first, ...copies].map((cluster) => cluster.starts('db-0'));
  expect(await Promise.all(starts)).toEqual(['db-0 db-0', 'db-0 db-0 db-0 db-0', 'db-0 db-0 db-0']);
});

test('a snapshot does not have what was on volumes that are gone', async () => {
  const { client, environment, run } = await startDatabase();
  await run('app', { emptyDir: {} });
  const contents = () => inspect(environment.snapshot().workloads, { depth: null });
  expect(contents()).toContain(`'starts' => 'app'`);
  expect(contents()).toContain(`'starts' => 'db-0 db-0'`);
  await client.delete(Pod, key('app'));
  await client.delete(StatefulSet, key('db'));
  await client.delete(PersistentVolumeClaim, key('data-db-0'));
  await environment.advance('1m');
  expect(contents()).not.toContain("'starts'");
});

test('an application that asks for a volume which keeps nothing crashes, and its log says why', async () => {
  const { client, run, logOf } = await start();
  await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key('settings') });
  await client.create(PersistentVolumeClaim, claim('unbound'));
  await run('other', { name: 'other', emptyDir: {} });
  await run('settings', { configMap: { name: 'settings' } });
  await run('early', claimed('unbound'), 'node-1');
  expect(await logOf('other')).toContain('Volume data of pod default/other does not exist');
  expect(await logOf('settings')).toContain('Volume data of pod default/settings keeps no data');
  expect(await logOf('early')).toContain('PersistentVolumeClaim default/unbound is not bound');
});

test('a function makes the applications of each cluster', async () => {
  const images = () => {
    let starts = 0;
    return { 'counter:*': () => ({ logs: `start ${(starts += 1)} of this cluster` }) };
  };
  for (const cluster of [1, 2]) {
    const { run, logOf } = await start({ clock: 'virtual', workloads: { images } });
    await run(`app-${cluster}`, { emptyDir: {} });
    expect(await logOf(`app-${cluster}`)).toContain('start 1 of this cluster');
  }
});
