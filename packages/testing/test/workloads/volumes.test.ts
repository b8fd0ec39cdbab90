import { PersistentVolume, PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { StorageClass } from 'ots-kubernetes/storage/v1';
import { Event } from 'ots-kubernetes/events/v1';
import { Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, onTestFinished, test } from 'vitest';

const namespace = 'default';
const data = { name: 'data', namespace };

/** Starts a cluster with one node and a clock that stands still. */
async function start() {
  const environment = await TestEnvironment.start({ workloads: true, clock: 'virtual' });
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  return { environment, client };
}

const claimOf = (spec: PersistentVolumeClaim['spec'] = {}): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: data,
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'app', namespace },
  spec: {
    containers: [{ name: 'app', image: 'app:1' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  },
};

async function eventsOf(client: Client, name: string): Promise<string[]> {
  const { items } = await client.list(Event, { namespace });
  return items
    .filter(({ regarding }) => regarding?.name === name)
    .map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
}

const storageOf = async (client: Client) =>
  (await client.getOrThrow(PersistentVolumeClaim, data)).status?.capacity?.['storage'];

test('a claim of the default class gets a volume when a pod uses it', async () => {
  const { environment, client } = await start();
  await client.create(PersistentVolumeClaim, claimOf());
  await environment.advance('1m');
  expect((await client.getOrThrow(PersistentVolumeClaim, data)).status?.phase).toBe('Pending');
  await client.create(Pod, pod);
  await environment.advance('1s');
  const { spec, status, metadata } = await client.getOrThrow(PersistentVolumeClaim, data);
  expect([spec?.storageClassName, status?.phase]).toEqual(['standard', 'Bound']);
  expect((await client.getOrThrow(Pod, { name: 'app', namespace })).spec?.nodeName).toBe('node-1');
  const volume = await client.getOrThrow(PersistentVolume, { name: spec!.volumeName! });
  expect(volume).toMatchObject({
    metadata: { name: `pvc-${metadata.uid}`, finalizers: ['kubernetes.io/pv-protection'] },
    spec: { persistentVolumeReclaimPolicy: 'Delete', capacity: { storage: '1Gi' } },
    status: { phase: 'Bound' },
  });
  expect(await eventsOf(client, 'data')).toEqual(
    expect.arrayContaining([
      'Normal WaitForFirstConsumer: waiting for first consumer to be created before binding',
      `Normal Provisioning: External provisioner is provisioning volume for claim "default/data"`,
      `Normal ProvisioningSucceeded: Successfully provisioned volume pvc-${metadata.uid}`,
    ]),
  );
});

test('the pods of a StatefulSet get their volumes, and keep them', async () => {
  const { environment, client } = await start();
  const labels = { app: 'db' };
  const key = { name: 'db', namespace };
  const mounted = { name: 'db', image: 'db:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  await client.create(StatefulSet, {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: key,
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [mounted] } },
      volumeClaimTemplates: [{ ...claimOf(), metadata: { name: 'data' } }],
    },
  });
  await environment.advance('10s');
  expect((await client.getOrThrow(StatefulSet, key)).status?.readyReplicas).toBe(3);
  await client.delete(StatefulSet, key, { propagationPolicy: 'Foreground' });
  await environment.advance('1m');
  const { items } = await client.list(PersistentVolumeClaim, { namespace });
  expect(items.map(({ metadata, status }) => [metadata.name, status?.phase])).toEqual([
    ['data-db-0', 'Bound'],
    ['data-db-1', 'Bound'],
    ['data-db-2', 'Bound'],
  ]);
});

test('a class of an author works the same way, and the volume goes with its claim', async () => {
  const { environment, client } = await start();
  await client.create(StorageClass, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'ots.dev/simulated',
  });
  // A claim that comes before the controllers know the class waits 15 seconds, as in a cluster.
  await environment.settle();
  await client.create(PersistentVolumeClaim, claimOf({ storageClassName: 'fast' }));
  await environment.advance('1s');
  expect((await client.getOrThrow(PersistentVolumeClaim, data)).status?.phase).toBe('Bound');
  await client.delete(PersistentVolumeClaim, data);
  await environment.settle();
  expect((await client.list(PersistentVolume)).items).toEqual([]);
});

test('a claim that asks for more gets it', async () => {
  const { environment, client } = await start();
  await client.create(PersistentVolumeClaim, claimOf());
  await client.create(Pod, pod);
  await environment.advance('1s');
  const spec = { resources: { requests: { storage: '5Gi' } } };
  await client.patch(PersistentVolumeClaim, data, { spec });
  await environment.settle();
  const resizing = await client.getOrThrow(PersistentVolumeClaim, data);
  expect(resizing.status).toMatchObject({
    capacity: { storage: '1Gi' },
    conditions: [{ type: 'Resizing', status: 'True' }],
  });
  await environment.advance('1s');
  expect(await storageOf(client)).toBe('5Gi');
  const { items } = await client.list(PersistentVolume);
  expect(items.map((volume) => volume.spec?.capacity)).toEqual([{ storage: '5Gi' }]);
});

/** Why a pod has no node. */
async function waitOf(client: Client): Promise<[reason?: string, message?: string]> {
  const { status } = await client.getOrThrow(Pod, { name: 'app', namespace });
  expect(status?.phase).toBe('Pending');
  const { reason, message } = status?.conditions?.find(({ type }) => type === 'PodScheduled') ?? {};
  return [reason!, message!];
}

test('a claim whose volume cannot be created stays pending, and so does its pod', async () => {
  const { environment, client } = await start();
  const fast = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast' } } as const;
  await client.create(StorageClass, { ...fast, provisioner: 'ots.dev/simulated' });
  await environment.settle();
  environment.failures.add({ name: 'other' }, { provisioning: 'no' });
  environment.failures.add({ labels: 'app=other' }, { provisioning: 'no' });
  const failure = environment.failures.add(
    { name: 'data', namespace, labels: '!app' },
    { provisioning: 'the pool is full' },
  );
  await client.create(PersistentVolumeClaim, claimOf({ storageClassName: 'fast' }));
  await client.create(Pod, pod);
  await environment.advance('10m');
  expect((await client.getOrThrow(PersistentVolumeClaim, data)).status?.phase).toBe('Pending');
  expect(await waitOf(client)).toEqual([
    'Unschedulable',
    '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found',
  ]);
  expect(await eventsOf(client, 'data')).toContain('Warning ProvisioningFailed: the pool is full');
  failure.remove();
  await environment.advance('6m');
  expect((await client.getOrThrow(PersistentVolumeClaim, data)).status?.phase).toBe('Bound');
  expect((await client.getOrThrow(Pod, { name: 'app', namespace })).status?.phase).toBe('Running');
});

test('the provisioner tries again after delays that double', async () => {
  const { environment, client } = await start();
  environment.failures.add({}, { provisioning: 'the pool is full' });
  await client.create(PersistentVolumeClaim, claimOf());
  await client.create(Pod, pod);
  const failures: number[] = [];
  for (let second = 1; second <= 25; second++) {
    await environment.advance('1s');
    const { items } = await client.list(Event, { namespace });
    const counts = items.filter(({ reason }) => reason === 'ProvisioningFailed');
    failures.push(counts.reduce((sum, { deprecatedCount = 0 }) => sum + deprecatedCount, 0));
  }
  // An attempt takes a second.
  const times = failures.flatMap((count, index) => (count > (failures[index - 1] ?? 0) ? [index + 1] : []));
  expect(times).toEqual([1, 3, 6, 11, 20]);
});

test('a pod waits 10 minutes for its volume, and again', async () => {
  const { environment, client } = await start();
  const failure = environment.failures.add({ name: 'data' }, { provisioning: 'the pool is full' });
  await client.create(PersistentVolumeClaim, claimOf());
  await environment.settle();
  await client.create(Pod, pod);
  await environment.advance('599s');
  expect(await waitOf(client)).toEqual([undefined, undefined]);
  const nominated = async () =>
    (await client.getOrThrow(Pod, { name: 'app', namespace })).status?.nominatedNodeName;
  expect(await nominated()).toBe('node-1');
  await environment.advance('1s');
  const message = 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded';
  expect(await waitOf(client)).toEqual(['SchedulerError', message]);
  expect(await nominated()).toBe('node-1');
  expect(await eventsOf(client, 'app')).toEqual([`Warning FailedScheduling: ${message}`]);
  await environment.advance('10m');
  expect(await eventsOf(client, 'app')).toHaveLength(2);
  failure.remove();
  await environment.advance('6m');
  const { status, spec } = await client.getOrThrow(Pod, { name: 'app', namespace });
  expect([spec?.nodeName, status?.phase, status?.nominatedNodeName]).toEqual([
    'node-1',
    'Running',
    undefined,
  ]);
});
