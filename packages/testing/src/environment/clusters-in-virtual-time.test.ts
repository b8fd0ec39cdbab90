import { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import { Client, Clusters, ControllerBuilder, Manager, createLogger } from 'ots-runtime';
import { expect, test } from 'vitest';
import { TestEnvironment } from './test-environment.ts';

const namespace = 'default';
const groups = ['system:masters'];

/** One server stands for the manager's own cluster and two others, which are different users: one clock times all of them. */
async function setUp() {
  const environment = await TestEnvironment.start({ env: {}, clock: 'virtual' });
  const client = new Client(environment.config);
  const manager = await Manager.create({
    connection: environment.config,
    logger: createLogger({ level: 'silent' }),
  });
  const [works, hangs] = [
    await environment.as({ user: 'works', groups }),
    await environment.as({ user: 'hangs', groups }),
  ];
  const clusters = new Clusters(manager, {
    provider: {
      async *clusters() {
        yield { works, hangs };
      },
    },
  });
  /** When each Secret was written, in seconds since the start, by cluster. */
  const written: Record<string, number[]> = { works: [], hangs: [] };
  const start = manager.now().getTime();
  new ControllerBuilder(clusters)
    .for(ConfigMap)
    .withOptions({ maxConcurrentReconciles: 2 })
    .complete(async ({ name, cluster }) => {
      const object = { metadata: { name: `${name}-${cluster}`, namespace }, stringData: { name } };
      await clusters.get(cluster).client.apply(Secret, object, { fieldOwner: 'test' });
      written[cluster!]!.push((manager.now().getTime() - start) / 1000);
    });
  const stop = async (): Promise<void> => {
    const stopped = manager.stop();
    await environment.advance('2m');
    await stopped;
    await client.close();
    await environment.stop();
  };
  return { environment, client, manager, clusters, written, stop };
}

async function create(client: Client, count: number, prefix: string): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const metadata = { name: `${prefix}-${index}`, namespace };
    await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }
}

test('a cluster whose writes hang delays no other, and catches up', async () => {
  const { environment, client, manager, written, stop } = await setUp();
  manager.start().catch(() => {});
  await environment.settle();
  const fault = environment.faults.add({ user: 'hangs', verbs: ['patch'] }, { timeout: 'before' });
  await create(client, 50, 'app');
  await environment.advance('1s');
  expect(written['works']).toHaveLength(50);
  expect(Math.max(...written['works']!)).toBeLessThan(1);
  expect(written['hangs']).toEqual([]);
  fault.remove();
  await environment.advance('10m');
  expect(written['hangs']).toHaveLength(50);
  await stop();
});

test('a cluster that does not respond at the start delays no other, and joins when it does', async () => {
  const { environment, client, manager, clusters, written, stop } = await setUp();
  const fault = environment.faults.add({ user: 'hangs' }, { timeout: 'before' });
  await create(client, 3, 'app');
  manager.start().catch(() => {});
  await environment.advance('1s');
  await manager.ready;
  expect(written['works']).toHaveLength(3);
  await environment.advance('5m');
  expect(written['hangs']).toEqual([]);
  expect(clusters.problems()).toEqual([expect.stringMatching(/^hangs: ConfigMap\.v1/)]);
  fault.remove();
  await environment.advance('2m');
  expect(written['hangs']).toHaveLength(3);
  expect(clusters.problems()).toEqual([]);
  await stop();
});
