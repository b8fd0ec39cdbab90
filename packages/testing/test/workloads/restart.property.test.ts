import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
} from 'fast-check';
import type { Kind } from 'ots-kubernetes';
import { DaemonSet, Deployment, StatefulSet } from 'ots-kubernetes/apps/v1';
import { Job } from 'ots-kubernetes/batch/v1';
import { Node, Pod, Service } from 'ots-kubernetes/core/v1';
import { PodDisruptionBudget } from 'ots-kubernetes/policy/v1';
import { ApiError, Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';

const images = {
  'slow:*': { readyAfter: '20s' },
  'never:*': { readyAfter: '100h' },
  'task:*': { exitCode: 0, exitAfter: '10s' },
} as const;
const workloads = { nodes: 2, images };
const namespace = 'default';

/** How each kind runs pods with labels and an image. */
const specs: Readonly<
  Record<string, { kind: Kind; spec: (app: string, image: string, size: number) => object }>
> = {
  deployment: {
    kind: Deployment,
    spec: (app, image, replicas) => ({
      replicas,
      selector: selectorOf(app),
      template: templateOf(app, image),
    }),
  },
  statefulSet: {
    kind: StatefulSet,
    spec: (app, image, replicas) => ({
      replicas,
      serviceName: 'a',
      selector: selectorOf(app),
      template: templateOf(app, image),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    }),
  },
  daemonSet: {
    kind: DaemonSet,
    spec: (app, image) => ({ selector: selectorOf(app), template: templateOf(app, image) }),
  },
  job: {
    kind: Job,
    spec: (app, _image, completions) => ({
      completions,
      parallelism: 2,
      template: templateOf(app, 'task:1', 'Never'),
    }),
  },
  budget: {
    kind: PodDisruptionBudget,
    spec: (app, _image, minAvailable) => ({ minAvailable, selector: selectorOf(app) }),
  },
  service: { kind: Service, spec: (app) => ({ selector: { app }, ports: [{ port: 80 }] }) },
};

const selectorOf = (app: string) => ({ matchLabels: { app } });
const templateOf = (app: string, image: string, restartPolicy = 'Always') => ({
  metadata: { labels: { app } },
  spec: {
    restartPolicy,
    containers: [{ name: 'app', image, resources: { requests: { cpu: '1' } } }],
  },
});

const kind = constantFrom(...Object.keys(specs));
const app = constantFrom('a', 'b');
const image = constantFrom('app:1', 'slow:1', 'slow:2', 'never:1');
const size = integer({ min: 0, max: 5 });
const action = oneof(
  { weight: 6, arbitrary: record({ do: constant('create'), kind, app, image, size }) },
  {
    weight: 3,
    arbitrary: record({ do: constant('scale'), kind: constantFrom('deployment', 'statefulSet'), app, size }),
  },
  {
    weight: 3,
    arbitrary: record({
      do: constant('image'),
      kind: constantFrom('deployment', 'statefulSet', 'daemonSet'),
      app,
      image,
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      do: constant('delete'),
      kind,
      app,
      propagationPolicy: constantFrom('Background', 'Foreground', 'Orphan'),
    }),
  },
  { weight: 2, arbitrary: record({ do: constantFrom('deletePod', 'labelPod'), index: size }) },
  {
    weight: 1,
    arbitrary: record({
      do: constantFrom('cordon', 'uncordon', 'stop', 'start'),
      node: constantFrom('node-1', 'node-2'),
    }),
  },
  {
    weight: 4,
    arbitrary: record({ do: constant('advance'), time: constantFrom('0s', '3s', '20s', '2m', '8m') }),
  },
);
type Action = typeof action extends Arbitrary<infer T> ? T : never;

async function perform(client: Client, environment: TestEnvironment, step: Action): Promise<void> {
  switch (step.do) {
    case 'create': {
      const { kind: of, spec } = specs[step.kind]!;
      const { apiVersion } = of;
      const metadata = { name: step.app, namespace };
      const object = { apiVersion, kind: of.kind, metadata, spec: spec(step.app, step.image, step.size) };
      await client.create(of, object);
      break;
    }
    case 'scale':
      await client.patch(specs[step.kind]!.kind, { name: step.app, namespace }, {
        spec: { replicas: step.size },
      } as object);
      break;
    case 'image':
      await client.patch(
        specs[step.kind]!.kind,
        { name: step.app, namespace },
        { spec: { template: { spec: { containers: [{ name: 'app', image: step.image }] } } } } as object,
        { type: 'strategic' },
      );
      break;
    case 'delete': {
      const { propagationPolicy } = step;
      await client.delete(specs[step.kind]!.kind, { name: step.app, namespace }, { propagationPolicy });
      break;
    }
    case 'deletePod':
    case 'labelPod': {
      const { items } = await client.list(Pod, { namespace });
      const found = items[step.index];
      if (!found) break;
      const key = { name: found.metadata.name!, namespace };
      if (step.do === 'deletePod') await client.delete(Pod, key);
      else await client.patch(Pod, key, { metadata: { labels: { app: 'other' } } });
      break;
    }
    case 'cordon':
    case 'uncordon':
      await client.patch(
        Node,
        { name: step.node },
        { spec: { unschedulable: step.do === 'cordon' || null } },
      );
      break;
    case 'stop':
      environment.nodes.stop(step.node);
      break;
    case 'start':
      environment.nodes.start(step.node);
      break;
    case 'advance':
      await environment.advance(step.time);
  }
}

/** A cluster in which nothing more happens. */
interface Cluster {
  readonly snapshot: ReturnType<TestEnvironment['snapshot']>;
  readonly resourceVersion: number;
}

async function clusterAfter(steps: readonly Action[], seed: number): Promise<Cluster> {
  await using environment = await TestEnvironment.start({ workloads, clock: 'virtual', seed });
  await using client = new Client(environment.config);
  for (const step of steps)
    await perform(client, environment, step).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
    });
  await environment.advance('1h');
  const { metadata } = await client.list(Pod, { namespace });
  return { snapshot: environment.snapshot(), resourceVersion: Number(metadata.resourceVersion) };
}

/**
 * What happens after a restart, as in a real cluster: nodes show that they live, lost ones are tainted again, DaemonSets count the pods
 * on them as misplaced only now, and Events say so.
 */
const repeated = new Set([
  'daemonsets/status.apps',
  'leases.coordination.k8s.io',
  'nodes',
  'nodes/status',
  'events',
  'events.events.k8s.io',
]);

/** What components change that remember nothing, once they have started again. */
async function changesAfterRestart({ snapshot, resourceVersion }: Cluster): Promise<string[]> {
  await using environment = await TestEnvironment.start({ workloads, clock: 'virtual', from: snapshot });
  await environment.advance('5m');
  return environment.trace
    .filter((write) => !repeated.has(write.resource))
    .filter((write) => write.resourceVersion === '' || Number(write.resourceVersion) > resourceVersion)
    .map(({ user, verb, resource, name }) => `${user} ${verb} ${resource} ${name}`);
}

test('whatever happened before, components that start again find nothing to do', async () => {
  await assert(
    asyncProperty(
      array(action, { minLength: 4, maxLength: 20 }),
      integer({ min: 1, max: 1000 }),
      async (steps, seed) => {
        expect(await changesAfterRestart(await clusterAfter(steps, seed))).toEqual([]);
      },
    ),
    { numRuns: propertyRuns(3) },
  );
}, 120_000);
