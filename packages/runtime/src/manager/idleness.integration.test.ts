import { ConfigMap } from 'ots-kubernetes/core/v1';
import { beforeEach, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import { objectReconciler } from '../controller/object-reconciler.ts';
import type { Result } from '../controller/reconciler.ts';
import { controllerReference } from '../objects/owner-references.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { Manager } from './manager.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(thingCrds);
let namespace: string;
let manager: Manager;

beforeEach(async () => {
  namespace = await server.createNamespace();
  manager = await server.createManager(namespace);
});

const key = (name: string): { name: string; namespace: string } => ({ name, namespace });
const here = (name: string, size = 1): Thing => ({ ...thing(name, size), metadata: key(name) });

async function failure(waiting: Promise<void>): Promise<Error> {
  return waiting.then(
    () => expect.unreachable('it must fail'),
    (error: unknown) => error as Error,
  );
}

/** Runs a controller of Things that does this. */
function control(reconcile: (object: DeepReadonly<Thing>) => Promise<Result | void>): void {
  new ControllerBuilder(manager)
    .for(Thing)
    .owns(ConfigMap)
    .complete(objectReconciler(manager.client, Thing, reconcile));
}

/** Keeps a ConfigMap with the size, by which the status then goes: at least two runs. */
async function keep(object: DeepReadonly<Thing>): Promise<Result> {
  const { name = '' } = object.metadata;
  const metadata = { ...key(name), ownerReferences: [controllerReference(object)] };
  const known = await manager.client.get(ConfigMap, key(name));
  if (known) {
    const size = Number(known.data?.['size']);
    await manager.client.status.patch(Thing, object, (draft) => void (draft.status = { size }));
  }
  const data = { size: String(object.spec.size) };
  await manager.client.apply(ConfigMap, { metadata, data }, { fieldOwner: 'test' });
  return { requeueAfter: '1h' };
}

test('after each change, the operator has done its work, and the cache has seen it', async () => {
  control(keep);
  manager.start().catch(() => {});
  await manager.idle();
  await server.client.create(Thing, here('a'));
  for (let size = 2; size < 12; size += 1) {
    await server.client.patch(Thing, key('a'), { spec: { size } });
    await manager.idle();
    expect((await server.client.get(Thing, key('a')))?.status).toEqual({ size });
    expect(manager.cache.get(Thing, key('a'))).toMatchObject({ spec: { size }, status: { size } });
  }
  await server.client.delete(Thing, key('a'));
  await manager.idle();
  expect(manager.cache.list(Thing)).toEqual([]);
});

test('objects that the operator does not work on count: the cache has them', async () => {
  manager.cache.add(ConfigMap, { labelSelector: 'app=web' });
  manager.start().catch(() => {});
  const metadata = { ...key('web'), labels: { app: 'web' } };
  await server.client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await manager.idle();
  expect(manager.cache.get(ConfigMap, key('web'))).toBeDefined();
  await server.client.patch(ConfigMap, key('web'), { metadata: { labels: { app: 'other' } } });
  await manager.idle();
  expect(manager.cache.get(ConfigMap, key('web'))).toBeUndefined();
});

test('delayed requests do not count, neither requeues nor retries', async () => {
  control(async ({ metadata }) => {
    if (metadata.name === 'bad') throw new Error('not yet');
    return { requeueAfter: '1h' };
  });
  manager.start().catch(() => {});
  await server.client.create(Thing, here('good'));
  await server.client.create(Thing, here('bad'));
  await manager.idle();
  expect(manager.cache.list(Thing)).toHaveLength(2);
});

test('a reconcile that does not end is named, with the line that waits', async () => {
  let finish: (() => void) | undefined;
  control(async ({ metadata }) => {
    if (metadata.name === 'stuck') await new Promise<void>((resolve) => (finish = resolve));
  });
  manager.start().catch(() => {});
  await server.client.create(Thing, here('stuck'));
  async function author(): Promise<void> {
    await manager.idle({ timeout: '1s' });
  }
  const error = await failure(author());
  expect(error).toMatchObject({
    code: 'WAIT_TIMEOUT',
    message: `Timed out after 1000 ms waiting for the manager to be idle (the controller thing runs ${namespace}/stuck)`,
  });
  expect(error.stack!.split('\n')[1]).toContain('at author');
  const abort = new AbortController();
  const aborted = failure(manager.idle({ signal: abort.signal }));
  abort.abort(new Error('enough'));
  expect(await aborted).toMatchObject({ message: 'enough' });
  finish?.();
  await manager.idle();
});

test('events that a map function works on count', async () => {
  let finish: (() => void) | undefined;
  new ControllerBuilder(manager)
    .named('mapped')
    .watches(Thing, async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return [];
    })
    .complete(async () => {});
  manager.start().catch(() => {});
  await manager.idle();
  await server.client.create(Thing, here('a'));
  expect((await failure(manager.idle({ timeout: '1s' }))).message).toContain(
    '(the controller mapped maps events of Thing)',
  );
  finish?.();
  await manager.idle();
});

test('a manager that never starts, and one that stops, is not idle', async () => {
  expect((await failure(manager.idle({ timeout: 0 }))).message).toContain('the manager is starting');
  const stopped = failure(manager.idle());
  await manager.stop();
  expect(await stopped).toMatchObject({ code: 'USAGE', message: 'The manager stops' });
  expect(await failure(manager.idle())).toMatchObject({ code: 'USAGE', message: 'The manager stops' });
});
