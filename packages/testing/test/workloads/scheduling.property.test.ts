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
import { Node, Pod } from 'ots-kubernetes/core/v1';
import { PriorityClass } from 'ots-kubernetes/scheduling/v1';
import { Client, isNotFound } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';

const nodes = ['a', 'b', 'c'].map((name, index) => ({
  name,
  labels: { zone: index === 0 ? 'east' : 'west' },
  capacity: { cpu: '4', pods: '4' },
}));
const workloads = { nodes, images: { 'task:*': { exitCode: 0, exitAfter: '20s' } } } as const;

const requesting = (cpu: string, image = 'app:1') => ({
  containers: [{ name: 'app', image, resources: { requests: { cpu } } }],
});
const alone = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { shape: 'alone' } } },
    ],
  },
};
const spread: Partial<NonNullable<Pod['spec']>> = {
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { shape: 'spread' } },
    },
  ],
};
const shapes: Readonly<Record<string, Pod['spec']>> = {
  small: requesting('1'),
  big: requesting('3'),
  alone: { ...requesting('1'), affinity: alone },
  spread: { ...requesting('1'), ...spread },
  eastern: { ...requesting('1'), nodeSelector: { zone: 'east' } },
  urgent: { ...requesting('2'), priorityClassName: 'urgent' },
  task: { ...requesting('2', 'task:1'), restartPolicy: 'Never' },
};

const count = integer({ min: 1, max: 4 });
const pod = integer({ min: 0, max: 30 });
const node = constantFrom('a', 'b', 'c');
const action = oneof(
  {
    weight: 6,
    arbitrary: record({
      do: constant('create'),
      count,
      shape: constantFrom(...Object.keys(shapes), 'alone', 'spread', 'alone', 'spread'),
    }),
  },
  { weight: 2, arbitrary: record({ do: constant('delete'), count, pod }) },
  {
    weight: 4,
    arbitrary: record({ do: constant('label'), pod, shape: constantFrom('alone', 'spread', 'other') }),
  },
  { weight: 3, arbitrary: record({ do: constantFrom('cordon', 'uncordon'), node }) },
  {
    weight: 1,
    arbitrary: record({ do: constant('move'), node, zone: constantFrom('east', 'west', null) }),
  },
  { weight: 3, arbitrary: record({ do: constant('advance'), time: constantFrom('0s', '5s', '1m') }) },
);
type Action = typeof action extends Arbitrary<infer T> ? T : never;

/** What people do to a cluster. */
class Actor {
  readonly #client: Client;
  readonly #environment: TestEnvironment;
  #created = 0;

  constructor(client: Client, environment: TestEnvironment) {
    this.#client = client;
    this.#environment = environment;
  }

  async perform(step: Action): Promise<void> {
    switch (step.do) {
      case 'create':
        for (let left = step.count; left > 0; left -= 1) await this.#create(step.shape);
        break;
      case 'delete':
        for (let left = step.count; left > 0; left -= 1)
          await this.#client.delete(Pod, this.#key(step.pod + left));
        break;
      case 'label':
        await this.#client.patch(Pod, this.#key(step.pod), { metadata: { labels: { shape: step.shape } } });
        break;
      case 'cordon':
      case 'uncordon':
        await this.#client.patch(
          Node,
          { name: step.node },
          { spec: { unschedulable: step.do === 'cordon' || null } },
        );
        break;
      case 'move':
        await this.#client.patch(Node, { name: step.node }, { metadata: { labels: { zone: step.zone } } });
        break;
      case 'advance':
        await this.#environment.advance(step.time);
    }
  }

  async #create(shape: string): Promise<void> {
    await this.#client.create(Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `pod-${this.#created}`, namespace: 'default', labels: { shape } },
      spec: shapes[shape]!,
    });
    this.#created += 1;
  }

  /** That of a pod that was created, where there is one. */
  #key(index: number): { name: string; namespace: string } {
    return { name: `pod-${index % Math.max(this.#created, 1)}`, namespace: 'default' };
  }
}

/** Where each pod runs; undefined for one that waits. */
async function placesIn(environment: TestEnvironment): Promise<Record<string, string | undefined>> {
  await using client = new Client(environment.config);
  const { items } = await client.list(Pod, { namespace: 'default' });
  return Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name!, spec?.nodeName]));
}

async function placesAfter(
  steps: readonly Action[],
  seed: number,
): Promise<{ places: object; snapshot: ReturnType<TestEnvironment['snapshot']> }> {
  await using environment = await TestEnvironment.start({ workloads, clock: 'virtual', seed });
  await using client = new Client(environment.config);
  await client.create(PriorityClass, {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'urgent' },
    value: 1000,
  });
  const actor = new Actor(client, environment);
  for (const step of steps)
    await actor.perform(step).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  await environment.advance('5m');
  return { places: await placesIn(environment), snapshot: environment.snapshot() };
}

/** What a scheduler that remembers nothing makes of a cluster. */
async function placesFrom(from: ReturnType<TestEnvironment['snapshot']>): Promise<object> {
  await using environment = await TestEnvironment.start({ workloads, clock: 'virtual', from });
  await environment.advance('5m');
  return await placesIn(environment);
}

test('whatever happened before, a scheduler that starts again finds nothing to do', async () => {
  await assert(
    asyncProperty(
      array(action, { minLength: 8, maxLength: 25 }),
      integer({ min: 1, max: 1000 }),
      async (steps, seed) => {
        const { places, snapshot } = await placesAfter(steps, seed);
        expect(await placesFrom(snapshot)).toEqual(places);
      },
    ),
    { numRuns: propertyRuns(5) },
  );
}, 120_000);
