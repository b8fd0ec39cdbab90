import { TestEnvironment } from 'ots-testing';
import { expect, onTestFinished, test } from 'vitest';
import { Gears } from '../../test/gears.ts';
import { Client } from '../client/client.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import type { ManagerOptions } from '../manager/manager-options.ts';
import { addStorageMigration } from './add-storage-migration.ts';
import {
  type StorageMigrationProgress,
  type StorageMigrationResult,
  migrateStorage,
} from './migrate-storage.ts';

// With the time and the faults of the embedded server.

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `gear-${1000 + index}`);

/** A cluster in which time stands still, and a client of it. */
async function cluster(): Promise<{ environment: TestEnvironment; client: Client }> {
  const environment = await TestEnvironment.start({ clock: 'virtual' });
  const client = new Client(environment.config, { fieldOwner: 'test' });
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  return { environment, client };
}

async function upgraded(client: Client, plural: string, count: number): Promise<Gears> {
  const gears = new Gears(client, plural);
  await gears.install('v1');
  await gears.create('v1', ...names(count));
  await gears.setVersions(['v1', 'v2']);
  return gears;
}

/** A migration that runs while the test moves time. */
function started(
  { environment, client }: Awaited<ReturnType<typeof cluster>>,
  gears: Gears,
  onProgress: (progress: StorageMigrationProgress) => void = () => {},
): { outcome: Promise<StorageMigrationResult>; isDone: () => boolean } {
  let done = false;
  const outcome = migrateStorage(
    client,
    gears.crd,
    { onProgress, pageSize: 50 },
    { clock: environment.config.clock },
  );
  const note = (): void => void (done = true);
  outcome.then(note, note);
  return { outcome, isDone: () => done };
}

test('it waits until the CRD has not changed for a minute', async () => {
  const { environment, client } = await cluster();
  const gears = await upgraded(client, 'gears', 3);
  const before = await gears.resourceVersions('v2');
  await environment.advance('20s');
  const told: StorageMigrationProgress[] = [];
  const { outcome, isDone } = started({ environment, client }, gears, (progress) => void told.push(progress));
  await environment.advance('39s');
  expect(told).toEqual([
    {
      phase: 'settling',
      crd: gears.crd,
      storageVersion: 'v2',
      oldVersions: ['v1'],
      wait: 40_000,
      done: 0,
      failed: 0,
    },
  ]);
  expect(await gears.resourceVersions('v2')).toEqual(before);
  await environment.advance('2s');
  expect(isDone()).toBe(true);
  expect(await outcome).toMatchObject({ rewritten: 3, droppedVersions: ['v1'] });
});

test('if the CRD changes while it waits, it waits again', async () => {
  const { environment, client } = await cluster();
  const gears = await upgraded(client, 'gears', 1);
  const { outcome, isDone } = started({ environment, client }, gears);
  await environment.advance('50s');
  await gears.setVersions(['v1', 'v2', 'v3']);
  await environment.advance('59s');
  expect(isDone()).toBe(false);
  await environment.advance('2s');
  expect(await outcome).toMatchObject({ storageVersion: 'v3', droppedVersions: ['v1', 'v2'] });
});

test('a storm of 429 slows it down for longer than it lasts', async () => {
  const { environment, client } = await cluster();
  const gears = await upgraded(client, 'gears', 200);
  await environment.advance('1m');
  using storm = environment.faults.add(
    { verbs: ['patch'], resource: 'gears', times: 12 },
    { answer: 'TooManyRequests', retryAfterSeconds: 1 },
  );
  const times: number[] = [];
  const clock = environment.config.clock!;
  const { outcome, isDone } = started({ environment, client }, gears, ({ phase }) => {
    if (phase === 'rewriting') times.push(clock.now());
  });
  await environment.advance('13s');
  expect([storm.hits, isDone()]).toEqual([12, false]);
  await environment.advance('5m');
  expect(await outcome).toMatchObject({ rewritten: 200, droppedVersions: ['v1'] });
  // In the beginning, 20 objects take a fifth of a second.
  expect(times[20]! - times[0]!).toBeGreaterThan(1000);
});

test('a server that is down, and connections that break, do not end it', async () => {
  const { environment, client } = await cluster();
  const gears = await upgraded(client, 'gears', 100);
  await environment.advance('1m');
  const patches = { verbs: ['patch'], resource: 'gears' } as const;
  environment.faults.add({ ...patches, times: 3 }, { answer: 'ServiceUnavailable' });
  environment.faults.add({ ...patches, times: 3 }, { disconnect: 'after' });
  environment.faults.add({ ...patches, times: 3 }, { answer: 'Conflict' });
  const { outcome } = started({ environment, client }, gears);
  await environment.advance('5m');
  expect(await outcome).toMatchObject({ droppedVersions: ['v1'] });
  expect(environment.faults.unused()).toEqual([]);
  await gears.setVersions(['v2']);
  expect((await gears.resourceVersions('v2')).size).toBe(100);
});

test('a CRD that others write at the same time is read again, but not forever', async () => {
  const { environment, client } = await cluster();
  const gears = await upgraded(client, 'gears', 1);
  await environment.advance('1m');
  const status = { verbs: ['patch'], resource: 'customresourcedefinitions/status' } as const;
  const first = environment.faults.add({ ...status, times: 5 }, { answer: 'Conflict' });
  const { outcome } = started({ environment, client }, gears);
  await environment.advance('1m');
  expect(await outcome).toMatchObject({ droppedVersions: ['v1'] });
  expect(first.hits).toBe(5);

  await gears.setVersions(['v1', 'v2', 'v3']);
  await environment.advance('1m');
  const second = environment.faults.add(status, { answer: 'Conflict' });
  const failing = started({ environment, client }, gears).outcome;
  failing.catch(() => {});
  await environment.advance('1m');
  await expect(failing).rejects.toMatchObject({ reason: 'Conflict' });
  expect(second.hits).toBe(11);
});

test.each([
  ['without field managers', null],
  ['with field managers to move', undefined],
])('conflicts do not pass for writes of others: %s', async (_, managedFields) => {
  const { environment, client } = await cluster();
  const gears = await upgraded(client, 'gears', 3);
  if (managedFields === null) {
    for (const name of names(3))
      await client.patch(
        gears.kind('v1'),
        { name, namespace: 'default' },
        { metadata: { managedFields: [{}] } },
      );
    await gears.setVersions(['v2', 'v1', 'v3']);
  }
  await environment.advance('1m');
  using conflict = environment.faults.add(
    { verbs: ['patch'], resource: 'gears', name: 'gear-1001' },
    { answer: 'Conflict' },
  );
  const { outcome } = started({ environment, client }, gears);
  outcome.catch(() => {});
  await environment.advance('5m');
  await expect(outcome).rejects.toMatchObject({
    code: 'STORAGE_MIGRATION',
    failures: [{ name: 'gear-1001' }],
  });
  expect(conflict.hits).toBe(6);
});

test('when pages expire the list begins again, and no object is rewritten twice', async () => {
  const { environment, client } = await cluster();
  const gears = await upgraded(client, 'gears', 200);
  await environment.advance('1m');
  let compactions = 0;
  const { outcome } = started({ environment, client }, gears, ({ done }) => {
    // In each of the pages.
    if (done % 50 === 25 && compactions < 3) {
      compactions += 1;
      environment.faults.compact();
    }
  });
  await environment.advance('5m');
  expect(await outcome).toMatchObject({ rewritten: 200, droppedVersions: ['v1'] });
  expect(compactions).toBe(3);
});

/** A manager that migrates the kind, with its log lines. */
async function managed(
  { environment }: Awaited<ReturnType<typeof cluster>>,
  gears: Gears,
  options: Partial<ManagerOptions> = {},
): Promise<{ manager: Manager; logged: (text: string) => Record<string, unknown>[] }> {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const logger = createLogger({ level: 'debug', format: 'json', stream: { write } });
  const manager = await Manager.create({
    connection: environment.config,
    userAgent: 'gears',
    logger,
    ...options,
  });
  onTestFinished(() => manager.stop());
  addStorageMigration(manager, { kinds: [gears.kind('v2'), gears.kind('v1')] });
  return { manager, logged: (text) => lines.filter(({ msg }) => msg === text) };
}

function start(manager: Manager): Promise<void> {
  manager.start().catch(() => {}); // `ready` also rejects
  return manager.ready;
}

test('a manager migrates at its start, and again when the CRD is upgraded under it', async () => {
  const { environment, client } = await cluster();
  const gears = await upgraded(client, 'gears', 5);
  const { manager, logged } = await managed({ environment, client }, gears, {
    metrics: { port: 0, host: '127.0.0.1', secure: false },
  });
  await start(manager);
  const metrics = (): Promise<string> => manager.metrics!.registry.metrics();
  await environment.settle();
  expect(await metrics()).toContain('storage_migration_old_versions{crd="gears.example.com"} 1');
  await environment.advance('2m');
  expect(await gears.storedVersions()).toEqual(['v2']);
  expect(await metrics()).toContain('storage_migration_old_versions{crd="gears.example.com"} 0');
  expect(await metrics()).toContain('storage_migration_remaining_objects{crd="gears.example.com"} 0');
  expect(await metrics()).toContain('storage_migration_failures_total{crd="gears.example.com"} 0');

  await gears.setVersions(['v2', 'v3']);
  await environment.advance('15m');
  expect(await gears.storedVersions()).toEqual(['v3']);
  const ended = { crd: gears.crd, droppedVersions: ['v1'], rewritten: 5, storageVersion: 'v2' };
  expect(logged('storage migration ended')).toMatchObject([
    ended,
    { ...ended, droppedVersions: ['v2'], storageVersion: 'v3' },
  ]);
});

test('a failure is logged and retried, and does not stop the manager', async () => {
  const { environment, client } = await cluster();
  const gears = await upgraded(client, 'gears', 5);
  const { manager, logged } = await managed({ environment, client }, gears);
  using broken = environment.faults.add(
    { verbs: ['patch'], resource: 'gears', name: 'gear-1003' },
    { answer: 'InternalError' },
  );
  await start(manager);
  await environment.advance('10m');
  expect(logged('storage migration failed; retrying').length).toBeGreaterThan(2);
  expect(logged('storage migration failed; retrying')[0]).toMatchObject({
    crd: gears.crd,
    err: { code: 'STORAGE_MIGRATION', message: expect.stringContaining('default/gear-1003') as string },
  });
  expect(await gears.storedVersions()).toEqual(['v1', 'v2']);
  const tries = broken.hits;
  broken.remove();
  await environment.advance('10m');
  expect(tries).toBeGreaterThan(2);
  expect(await gears.storedVersions()).toEqual(['v2']);
});

test('a CRD that is installed later is not a failure', async () => {
  const { environment, client } = await cluster();
  const gears = new Gears(client, 'gears');
  const { manager, logged } = await managed({ environment, client }, gears);
  await start(manager);
  await environment.advance('1h');
  expect(logged('storage migration failed; retrying')).toEqual([]);
  await gears.install('v1');
  await gears.setVersions(['v1', 'v2']);
  await environment.advance('15m');
  expect(await gears.storedVersions()).toEqual(['v2']);
});

test('it runs on the leader only, and another leader continues where the first one stopped', async () => {
  const { environment, client } = await cluster();
  const gears = await upgraded(client, 'gears', 400);
  await environment.advance('1m');
  const leaderElection = { id: 'gears.example.com', namespace: 'default' };
  const one = await managed({ environment, client }, gears, { leaderElection });
  await start(one.manager);
  await environment.settle();
  const two = await managed({ environment, client }, gears, { leaderElection });
  await start(two.manager);
  await environment.advance('2s');
  await one.manager.stop();
  const half = [...(await gears.resourceVersions('v2'))];
  await environment.advance('1m');
  expect(await gears.storedVersions()).toEqual(['v2']);
  const [{ rewritten }] = two.logged('storage migration ended') as [{ rewritten: number }];
  expect(rewritten).toBeGreaterThan(100);
  expect(rewritten).toBeLessThan(350);
  const after = await gears.resourceVersions('v2');
  expect(half.filter(([name, version]) => after.get(name) !== version)).toHaveLength(rewritten);
});

test('reconciles come first: while requests wait, it rewrites one object per second', async () => {
  const { environment, client } = await cluster();
  const gears = await upgraded(client, 'gears', 40);
  await environment.advance('1m');
  const { manager } = await managed({ environment, client }, gears);
  const work = { isOver: false };
  new ControllerBuilder(manager).for(gears.kind('v2')).complete(async (_request, { signal }) => {
    while (!work.isOver && !signal.aborted)
      await new Promise<void>((resolve) => environment.config.clock!.setTimeout(resolve, 1000));
  });
  await start(manager);
  await environment.advance('20s');
  const { oldVersions, rewritten } = await stateOf(gears);
  expect(oldVersions).toBe(2);
  expect(rewritten).toBeGreaterThan(10);
  expect(rewritten).toBeLessThanOrEqual(20);
  work.isOver = true;
  await environment.advance('10s');
  expect((await stateOf(gears)).oldVersions).toBe(1);

  async function stateOf(kind: Gears): Promise<{ oldVersions: number; rewritten: number }> {
    const { status, metadata } = await kind.read();
    const versions = [...(await kind.resourceVersions('v2')).values()].map(Number);
    const begin = Number(
      /version (\d+)/.exec(status?.conditions?.at(-1)?.message ?? '')?.[1] ?? metadata.resourceVersion,
    );
    return {
      oldVersions: status?.storedVersions?.length ?? 0,
      rewritten: versions.filter((version) => version > begin).length,
    };
  }
});

test('a kind of the core group is refused', async () => {
  const { environment } = await cluster();
  const manager = await Manager.create({
    connection: environment.config,
    logger: createLogger({ level: 'silent' }),
  });
  const core = {
    apiVersion: 'v1',
    group: '',
    version: 'v1',
    kind: 'Pod',
    plural: 'pods',
    scope: 'Namespaced',
  } as const;
  expect(() => addStorageMigration(manager, { kinds: [core] })).toThrow('Pod has no CRD');
  expect(() => addStorageMigration(manager, { kinds: [], settleTime: 'soon' })).toThrow(
    '"soon" is not a duration',
  );
});
