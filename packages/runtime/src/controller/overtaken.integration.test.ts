import { TestEnvironment } from 'ots-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { Client } from '../client/client.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { ControllerBuilder } from './controller-builder.ts';
import { generationChanged } from './predicates.ts';

// A conflict means that the cache is behind. The next reconcile waits for the news, and does not guess how long they take.

let environment: TestEnvironment;
let client: Client;
beforeAll(async () => {
  environment = await TestEnvironment.start({ crds: [thingCrds], env: {} });
  client = new Client(environment.config);
}, 60_000);
afterAll(async () => {
  await client.close();
  await environment.stop();
});

type Write = (manager: Manager, key: { name: string; namespace: string }) => Promise<unknown>;

const writes: Record<string, Write> = {
  'an update': async ({ client: cached }, key) => {
    const object = await cached.getOrThrow(Thing, key);
    await cached.update(Thing, { ...object, spec: { ...object.spec, size: 2 } });
  },
  'a patch with a lock': async ({ client: cached }, key) => {
    const change = (draft: Thing) => (draft.metadata.annotations = { done: 'yes' });
    await cached.patch(Thing, await cached.getOrThrow(Thing, key), change, { optimisticLock: true });
  },
  'an update of the status': async ({ client: cached }, key) => {
    const object = await cached.getOrThrow(Thing, key);
    await cached.status.update(Thing, { ...object, status: { size: 1 } });
  },
  'a deletion with a precondition': async ({ client: cached }, key) => {
    const { resourceVersion } = (await cached.getOrThrow(Thing, key)).metadata;
    await cached.delete(Thing, key, { preconditions: { resourceVersion } });
  },
};

test.each(Object.entries(writes))('%s is tried again when the cache has the news', async (title, write) => {
  const key = { name: title.replaceAll(' ', '-'), namespace: 'default' };
  await client.create(Thing, { ...thing(key.name, 1), metadata: key });
  const manager = await Manager.create({
    connection: environment.config,
    logger: createLogger({ level: 'silent' }),
  });
  const attempts: number[] = [];
  let isArmed = false;
  const controller = new ControllerBuilder(manager)
    .for(Thing, { predicates: [generationChanged()] })
    .named(key.name)
    .complete({
      async reconcile(request, { attempt }) {
        if (!isArmed || request.name !== key.name) return;
        attempts.push(attempt);
        await write(manager, key);
        isArmed = false;
      },
    });
  const running = manager.start();
  await manager.ready;
  using delay = environment.faults.add(
    { verbs: ['watch'], resource: 'things' },
    { watch: 'delay', by: '300ms' },
  );
  await client.patch(Thing, key, { metadata: { labels: { changed: 'yes' } } });
  isArmed = true;
  controller.enqueue(key);
  await waitFor(async () => !isArmed);
  expect(attempts).toEqual([1, 2]);
  expect(delay.hits).toBeGreaterThan(0);
  await manager.stop();
  await running;
});
