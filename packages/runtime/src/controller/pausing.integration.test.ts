import { ConfigMap } from 'ots-kubernetes/core/v1';
import { Event } from 'ots-kubernetes/events/v1';
import { beforeEach, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import type { Client } from '../client/client.ts';
import { FinalizerRegistry } from '../finalizers/finalizer-registry.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { Manager } from '../manager/manager.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import { controllerReference } from '../objects/owner-references.ts';
import { reasonText } from '../reasons/reason-text.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { ControllerBuilder } from './controller-builder.ts';
import type { PauseOptions } from './pause.ts';
import { objectReconciler } from './object-reconciler.ts';
import { generationChanged } from './predicates.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const annotation = 'example.com/paused';
const server = apiServerFixture(thingCrds);
let client: Client;
let namespace: string;
let lines: Record<string, unknown>[];

beforeEach(async () => {
  ({ client } = server);
  namespace = await server.createNamespace();
  lines = [];
});

const key = (name: string): { name: string; namespace: string } => ({ name, namespace });
const here = (name: string, paused?: string): Thing => {
  const annotations: Record<string, string> = paused === undefined ? {} : { [annotation]: paused };
  return { ...thing(name), metadata: { ...key(name), annotations } };
};
const annotate = (name: string, value: string | null) =>
  client.patch(Thing, key(name), { metadata: { annotations: { [annotation]: value } } } as object);
const resize = (size: number) => client.patch(Thing, key('a'), { spec: { size } });

const newManager = (options: Parameters<typeof server.createManager>[1] = {}): Promise<Manager> =>
  server.createManager(namespace, {
    logger: createLogger({
      stream: { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
    }),
    ...options,
  });

async function start(manager: Manager): Promise<void> {
  manager.start().catch(() => {});
  await manager.ready;
}

/** The reasons of the events about `a`, in order, and how often each has happened. */
async function announced(): Promise<string[]> {
  const { items } = await client.list(Event, { namespace });
  return items
    .filter(
      ({ regarding, reportingController }) => regarding?.name === 'a' && reportingController === 'thing',
    )
    .toSorted((x, y) => ((x.eventTime ?? '') < (y.eventTime ?? '') ? -1 : 1))
    .map(({ type, reason, series }) => `${type} ${reason}${series ? ` ${series.count}` : ''}`);
}

const messages = (): unknown[] =>
  lines.filter(({ annotation: name }) => name === annotation).map(({ msg, name }) => [msg, name].join(' '));

test('a paused object is not reconciled, whatever asks for it, and reconciled at once when it is resumed', async () => {
  const manager = await newManager();
  const runs: string[] = [];
  const controller = new ControllerBuilder(manager)
    .for(Thing, { predicates: [generationChanged()] })
    .owns(ConfigMap)
    .pausedBy(annotation)
    .withEventFilter(generationChanged())
    .complete(async (_, { reasons }) => void runs.push(...reasons.map(reasonText)));
  const a = await client.create(Thing, here('a'));
  await start(manager);
  await manager.idle();
  await annotate('a', 'true');
  await manager.idle();
  runs.length = 0;
  await resize(7);
  await client.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...key('child'), ownerReferences: [controllerReference(a)] },
  });
  controller.enqueue(key('a'));
  await annotate('a', 'for another reason');
  await client.create(Thing, here('b'));
  await manager.idle();
  expect(runs).toEqual([`Thing ${namespace}/b created`]);
  await annotate('a', 'false');
  await manager.idle();
  expect(runs.slice(1)).toEqual([`Thing ${namespace}/a updated: metadata.annotations["example.com/paused"]`]);
  expect(messages()).toEqual(['reconciliation paused a', 'reconciliation resumed a']);
  await manager.stop();
  expect(await announced()).toEqual(['Normal Paused', 'Normal Resumed']);
});

test('an object that is paused stays paused when another replica leads, without another event', async () => {
  const leaderElection = {
    id: 'pausing',
    namespace,
    retryPeriod: 100,
    renewDeadline: 2000,
    leaseDuration: 3000,
  };
  const runs: string[] = [];
  const replica = async (name: string): Promise<Manager> => {
    const manager = await newManager({ leaderElection });
    new ControllerBuilder(manager)
      .for(Thing)
      .pausedBy(annotation)
      .withOptions({ warmUp: true })
      .complete(async (request) => void runs.push(`${request.name} by ${name}`));
    await start(manager);
    return manager;
  };
  await client.create(Thing, here('a'));
  await client.create(Thing, here('b'));
  const first = await replica('first');
  await first.elected;
  await first.idle();
  const second = await replica('second');
  await annotate('a', 'true');
  await first.idle();
  await waitFor(async () => (await announced()).length > 0);
  runs.length = 0;
  await first.stop();
  await second.elected;
  await second.idle();
  expect(runs).toEqual(['b by second']);
  expect(messages()).toEqual(['reconciliation paused a', 'reconciliation paused a']);
  await annotate('a', null);
  await second.idle();
  expect(runs).toEqual(['b by second', 'a by second']);
  await second.stop();
  expect(await announced()).toEqual(['Normal Paused', 'Normal Resumed']);
});

test('an object that is created with the annotation is paused from the start', async () => {
  const manager = await newManager();
  const runs: string[] = [];
  new ControllerBuilder(manager)
    .for(Thing)
    .pausedBy(annotation)
    .complete(async ({ name }) => void runs.push(name));
  await start(manager);
  await client.create(Thing, here('a', ''));
  await manager.idle();
  expect(runs).toEqual([]);
  // Another object of the same name is not paused because this one was.
  await client.delete(Thing, key('a'));
  await client.create(Thing, here('a'));
  await manager.idle();
  expect(runs).not.toEqual([]);
  await manager.stop();
  expect(await announced()).toEqual(['Normal Paused']);
});

async function withFinalizer(options: PauseOptions): Promise<{ manager: Manager; cleaned: string[] }> {
  const manager = await newManager();
  const cleaned: string[] = [];
  const finalizers = new FinalizerRegistry(manager.client, Thing).register('example.com/thing', (object) => {
    cleaned.push(object.metadata.name!);
  });
  new ControllerBuilder(manager)
    .for(Thing)
    .pausedBy(annotation, options)
    .complete(
      objectReconciler(manager.client, Thing, async (object, context) => {
        await finalizers.finalize(object, context);
      }),
    );
  await start(manager);
  await client.create(Thing, here('a'));
  await manager.idle();
  await annotate('a', 'true');
  await manager.idle();
  await client.delete(Thing, key('a'));
  await manager.idle();
  return { manager, cleaned };
}

test('the deletion of a paused object waits, and an event says so', async () => {
  const { manager, cleaned } = await withFinalizer({});
  expect(cleaned).toEqual([]);
  expect((await client.get(Thing, key('a')))?.metadata.deletionTimestamp).toBeDefined();
  await annotate('a', null);
  await manager.idle();
  expect(cleaned).toEqual(['a']);
  expect(await client.get(Thing, key('a'))).toBeUndefined();
  await manager.stop();
  expect(await announced()).toEqual(['Normal Paused', 'Warning DeletionPaused', 'Normal Resumed']);
});

test('a paused object can be deleted if the author says so', async () => {
  const { manager, cleaned } = await withFinalizer({ deletion: 'reconcile' });
  expect(cleaned).toEqual(['a']);
  expect(await client.get(Thing, key('a'))).toBeUndefined();
  await manager.stop();
  expect(await announced()).toEqual(['Normal Paused', 'Normal Resumed']);
});

test('a controller that knows only metadata can be paused', async () => {
  const manager = await newManager();
  const runs: string[] = [];
  new ControllerBuilder(manager)
    .for(metadataOf(Thing))
    .pausedBy(annotation)
    .complete(async ({ name }) => void runs.push(name));
  await start(manager);
  await client.create(Thing, here('a', 'true'));
  await client.create(Thing, here('b'));
  await manager.idle();
  expect(runs).toEqual(['b']);
  await manager.stop();
  expect(await announced()).toEqual(['Normal Paused']);
});

test('the errors of a pausable reconciler name its class', async () => {
  class ThingReconciler {
    async reconcile(): Promise<void> {}
  }
  const manager = await newManager();
  const controller = new ControllerBuilder(manager)
    .for(Thing)
    .pausedBy(annotation)
    .complete(new ThingReconciler());
  expect(controller.author).toBe('ThingReconciler');
});
