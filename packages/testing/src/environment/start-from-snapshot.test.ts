import { Deployment, type StatefulSet } from 'ots-kubernetes/apps/v1';
import { createObjects } from 'ots-apiserver';
import type { CronJob, Job } from 'ots-kubernetes/batch/v1';
import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { ConfigMap, Event, Node, Pod, type Service } from 'ots-kubernetes/core/v1';
import { Client, type KubernetesObject, defineKind } from 'ots-runtime';
import { expect, test } from 'vitest';
import type { TestEnvironmentError } from '../errors/test-environment-error.ts';
import type { Images } from '../workloads/images/application.ts';
import type { EnvironmentSnapshot } from './environment-snapshot.ts';
import { TestEnvironment, type TestEnvironmentOptions } from './test-environment.ts';

const namespace = 'default';
const virtual = { clock: 'virtual' } as const;
const options: TestEnvironmentOptions = { ...virtual, workloads: true };

const key = (name: string) => ({ name, namespace });
const podsOf = (app: string, container: object = {}, rest: object = {}) => ({
  selector: { matchLabels: { app } },
  template: {
    metadata: { labels: { app } },
    spec: { containers: [{ name: app, image: `${app}:1`, ...container }], ...rest },
  },
});

const deployment = (name: string, container: object = {}, rest: object = {}): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: key(name),
  spec: podsOf(name, container, rest),
});

const database: StatefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: key('db'),
  spec: {
    replicas: 2,
    serviceName: 'db',
    ...podsOf('db', { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
    volumeClaimTemplates: [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
};

const template = {
  spec: { restartPolicy: 'Never' as const, containers: [{ name: 'work', image: 'work:1' }] },
};
const job: Job = { apiVersion: 'batch/v1', kind: 'Job', metadata: key('once'), spec: { template } };
const cronJob: CronJob = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: key('often'),
  spec: { schedule: '*/2 * * * *', jobTemplate: { spec: { template } } },
};

const settings: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: key('settings'),
  data: { mode: 'fast' },
};
const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: key('web'),
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
};
const readinessProbe = { periodSeconds: 7, exec: { command: ['ready'] } };
const mount = { volumeMounts: [{ name: 'settings', mountPath: '/etc/settings' }] };
const volumes = [{ name: 'settings', configMap: { name: 'settings' } }];

const Ship = defineKind<KubernetesObject>({
  apiVersion: 'example.com/v1',
  kind: 'Ship',
  plural: 'ships',
  scope: 'Namespaced',
});
const definition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ships.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'ships', kind: 'Ship' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

/** A cluster with pods that run, wait and crash, three minutes old. */
async function startFilled(): Promise<TestEnvironment> {
  const environment = await TestEnvironment.start(options);
  environment.failures.add({ image: 'missing:*' }, { imagePull: 'not found' });
  environment.failures.add({ image: 'crashing:*' }, { crashAfter: '3s' });
  await createObjects(environment.config, [
    settings,
    service,
    deployment('web', { readinessProbe, ...mount }, { volumes }),
    deployment('missing'),
    deployment('crashing'),
    database,
    job,
    cronJob,
  ]);
  await environment.advance('3m');
  return environment;
}

/** All objects without what depends on chance, on the number of writes, and on the port of the server. */
function comparable({ tables }: EnvironmentSnapshot): string[] {
  return [...tables]
    .flatMap(([table, records]) => records.map(({ object }) => ({ table, object })))
    .filter(
      ({ object: { metadata } }) => !(metadata.name === 'kubernetes' && metadata.namespace === namespace),
    )
    .map(({ table, object }) =>
      JSON.stringify([table, object])
        .replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":""')
        .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
        .replaceAll(/ots:\/\/[0-9a-f]{64}/g, 'CONTAINER')
        .replaceAll(/(often-\d+)-\w{5}/g, '$1-POD')
        .replaceAll(/\.188[0-9a-f]{13}\b/g, '.TIME'),
    )
    .toSorted();
}

test('a cluster that starts from a snapshot is at rest, and goes on like the other one', async () => {
  await using first = await startFilled();
  // As a worker thread receives it.
  const from = structuredClone(first.snapshot());
  await using second = await TestEnvironment.start({ ...options, from });
  await second.settle();
  expect(second.trace).toEqual([]);
  await first.advance('10m');
  await second.advance('10m');
  expect(comparable(second.snapshot())).toEqual(comparable(first.snapshot()));
});

test('definitions are served at once, versions continue, and UIDs do not repeat', async () => {
  await using first = await TestEnvironment.start({ ...virtual, objects: [definition, settings] });
  await first.advance('1h');
  const snapshot = first.snapshot();
  await using second = await TestEnvironment.start({ ...virtual, from: snapshot, objects: [service] });
  await using client = new Client(second.config);
  const ship = await client.create(Ship, {
    apiVersion: 'example.com/v1',
    kind: 'Ship',
    metadata: key('ship'),
  });
  const known = await client.get(ConfigMap, key('settings'));
  expect(known?.metadata).toMatchObject({ creationTimestamp: '2026-01-01T00:00:00Z' });
  expect(ship.metadata.creationTimestamp).toBe('2026-01-01T01:00:00Z');
  expect(Number(ship.metadata.resourceVersion)).toBeGreaterThan(snapshot.revision);
  const uids = [...second.snapshot().tables.values()].flat().map(({ object }) => object.metadata.uid);
  expect(new Set(uids).size).toBe(uids.length);
  expect(snapshot).toEqual(first.snapshot());
});

test('Events expire when they would have expired in the other cluster', async () => {
  await using first = await TestEnvironment.start({ ...options, objects: [deployment('web')] });
  await first.advance('50m');
  await using second = await TestEnvironment.start({ ...options, from: first.snapshot() });
  await using client = new Client(second.config);
  const count = async () => (await client.list(Event)).items.length;
  await second.advance('9m');
  expect(await count()).toBeGreaterThan(0);
  await second.advance('1m');
  expect(await count()).toBe(0);
});

test('failures, stopped nodes and metrics come along', async () => {
  await using first = await startFilled();
  await first.metrics.set({ pods: { labels: { app: 'db' } }, cpu: '800m' });
  first.nodes.stop('node-1');
  await first.advance('30s');
  await using second = await TestEnvironment.start({ ...options, from: first.snapshot() });
  await using client = new Client(second.config);
  const isReady = async () => {
    const node = await client.get(Node, { name: 'node-1' });
    return node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  };
  const renewedBefore = 10_000;
  await second.advance(20_000 - renewedBefore - 1);
  expect(await isReady()).toBe('True');
  await second.advance(renewedBefore + 1);
  expect(await isReady()).toBe('Unknown');
  second.nodes.start('node-1');
  await second.advance('5m');
  const waiting = async () => {
    const [pod] = (await client.list(Pod, { namespace, labelSelector: 'app=missing' })).items;
    return pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason;
  };
  expect(await waiting()).toBe('ImagePullBackOff');
  second.failures.clear();
  await second.advance('5m');
  expect(await waiting()).toBeUndefined();
  expect(second.snapshot().metrics).toEqual([{ pods: { labels: { app: 'db' } }, cpu: '800m' }]);
});

test('applications start again in the containers that run, without a restart', async () => {
  const starts: string[] = [];
  const images: Images = {
    'slow:*': async ({ restartCount, files, env, clock }) => {
      const mode = files.get('/etc/settings/mode');
      starts.push(`${restartCount} ${mode} ${env['MODE']}`);
      await new Promise<void>((resolve) => clock.setTimeout(resolve, 5000));
      return { readyAfter: '2s', terminate: () => void starts.push('ends') };
    },
  };
  const env = [{ name: 'MODE', valueFrom: { configMapKeyRef: { name: 'settings', key: 'mode' } } }];
  const workloads = { images };
  const objects = [settings, deployment('slow', { env, ...mount }, { volumes })];
  await using first = await TestEnvironment.start({ ...virtual, workloads, objects });
  await first.advance('1m');
  await using client = new Client(first.config);
  await client.delete(ConfigMap, key('settings'));
  await first.settle();
  await using second = await TestEnvironment.start({ ...virtual, workloads, from: first.snapshot() });
  await using other = new Client(second.config);
  const pod = async () => (await other.list(Pod, { namespace })).items[0]!;
  const before = await pod();
  await second.advance('3s');
  expect(await pod()).toEqual(before);
  expect(before.status?.containerStatuses?.[0]).toMatchObject({ ready: true, restartCount: 0 });
  expect(starts).toEqual(['0 fast fast', '0 fast fast']);
  await second.advance('10s');
  await other.delete(Deployment, key('slow'));
  await second.advance('1s');
  expect(starts).toEqual(['0 fast fast', '0 fast fast', 'ends']);
  expect((await other.list(Pod, { namespace })).items).toEqual([]);
});

test('a snapshot needs virtual time on both sides', async () => {
  await using real = await TestEnvironment.start({ env: {} });
  const refused = (given: TestEnvironmentOptions) =>
    TestEnvironment.start(given).catch((error: TestEnvironmentError) => error.message);
  const hint = "Start both environments with clock: 'virtual'.";
  expect(await refused({ ...virtual, from: real.snapshot() })).toBe(
    `The snapshot is of an environment with real time. ${hint}`,
  );
  await using simulated = await TestEnvironment.start(virtual);
  expect(await refused({ env: {}, from: simulated.snapshot() })).toBe(
    `An environment with real time cannot start from a snapshot. ${hint}`,
  );
});
