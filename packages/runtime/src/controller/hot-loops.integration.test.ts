import { ConfigMap } from 'ots-kubernetes/core/v1';
import { beforeEach, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { Manager } from '../manager/manager.ts';
import { controllerReference } from '../objects/owner-references.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { ControllerBuilder } from './controller-builder.ts';
import { generationChanged } from './predicates.ts';
import { objectReconciler } from './object-reconciler.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

/** Hundreds of runs one after the other, on machines that do other work too. */
const timeout = '2m';
const testTimeout = 240_000;

const server = apiServerFixture(thingCrds);
let namespace: string;
let manager: Manager;
let warnings: Record<string, unknown>[];

beforeEach(async () => {
  namespace = await server.createNamespace();
  warnings = [];
  const stream = {
    write: (line: string) => warnings.push(JSON.parse(line) as (typeof warnings)[number]),
  };
  manager = await server.createManager(namespace, {
    logger: createLogger({ level: 'warn', stream }),
    metrics: { port: 0, host: '127.0.0.1', secure: false },
  });
});

const key = (name: string): { name: string; namespace: string } => ({ name, namespace });
const here = (name: string, size = 1): Thing => ({ ...thing(name, size), metadata: key(name) });

async function start(...names: string[]): Promise<void> {
  manager.start().catch(() => {});
  await manager.ready;
  await Promise.all(names.map((name) => server.client.create(Thing, here(name))));
}

/** Writes something else each time, as a controller does that puts the time of day into the status. */
function touching(): { runs: () => number; reconcile: (object: DeepReadonly<Thing>) => Promise<void> } {
  let runs = 0;
  return {
    runs: () => runs,
    reconcile: async (object) => {
      runs += 1;
      await manager.client.status.patch(Thing, object, (draft) => void (draft.status = { size: runs }));
    },
  };
}

async function metric(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${manager.ports.metrics}/metrics`)).text();
  return Number(
    /^controller_runtime_hot_loop_reconciles_total\{controller="thing"\} (\d+)$/m.exec(text)?.[1],
  );
}

test(
  'own status writes that run the controller again and again are logged once for each object, with the cure',
  async () => {
    const { runs, reconcile } = touching();
    new ControllerBuilder(manager).for(Thing).complete(objectReconciler(manager.client, Thing, reconcile));
    await start('a', 'b');
    await waitFor(() => warnings.length === 2, { message: 'a warning for each object', timeout });
    const before = runs();
    await waitFor(() => runs() > before + 120, { message: 'more runs', timeout });
    expect(warnings.toSorted((a, b) => String(a['name']).localeCompare(String(b['name'])))).toEqual(
      ['a', 'b'].map((name) =>
        expect.objectContaining({
          level: 'warn',
          controller: 'thing',
          name,
          namespace,
          msg: 'hot loop: each of the last 50 reconciles was triggered by what the previous one wrote to the status of the Thing',
          hint: 'Pass { predicates: [generationChanged()] } to for(Thing), or write the status only when it has changed.',
        }),
      ),
    );
    expect(await metric()).toBeGreaterThan(100);
  },
  testTimeout,
);

test(
  'the cure works',
  async () => {
    const { runs, reconcile } = touching();
    new ControllerBuilder(manager)
      .for(Thing, { predicates: [generationChanged()] })
      .complete(objectReconciler(manager.client, Thing, reconcile));
    await start('a');
    for (let size = 2; size <= 60; size += 1) {
      await server.client.patch(Thing, key('a'), { spec: { size } });
      await waitFor(() => runs() >= size, { message: `run ${size}`, interval: 5, timeout });
    }
    expect(runs()).toBe(60);
    expect(warnings).toEqual([]);
    expect(await metric()).toBe(0);
  },
  testTimeout,
);

test(
  'writes to objects that it owns count as well',
  async () => {
    let runs = 0;
    new ControllerBuilder(manager)
      .for(Thing)
      .owns(ConfigMap)
      .complete(
        objectReconciler(manager.client, Thing, async (object) => {
          runs += 1;
          const metadata = { ...key('child'), ownerReferences: [controllerReference(object)] };
          await manager.client.apply(
            ConfigMap,
            { metadata, data: { at: String(runs) } },
            { fieldOwner: 'test' },
          );
        }),
      );
    await start('a');
    await waitFor(() => warnings.length > 0, { message: 'the warning', timeout });
    expect(warnings).toEqual([
      expect.objectContaining({
        name: 'a',
        msg: 'hot loop: each of the last 50 reconciles was triggered by what the previous one wrote to the ConfigMap',
        hint: 'Write to the ConfigMap only what has changed: client.apply, and client.patch with a function, then send nothing.',
      }),
    ]);
  },
  testTimeout,
);

test(
  'operators as they should be raise no alarm',
  async () => {
    const runs = new Map<string, number>();
    const reconcile = async (object: DeepReadonly<Thing>): Promise<{ requeueAfter: number }> => {
      const { name = '' } = object.metadata;
      runs.set(name, (runs.get(name) ?? 0) + 1);
      const { size } = object.spec;
      const metadata = { ...key(name), ownerReferences: [controllerReference(object)] };
      await manager.client.apply(
        ConfigMap,
        { metadata, data: { size: String(size) } },
        { fieldOwner: 'test' },
      );
      await manager.client.status.patch(Thing, object, (draft) => void (draft.status = { size }));
      return { requeueAfter: 5 };
    };
    new ControllerBuilder(manager)
      .for(Thing)
      .owns(ConfigMap)
      .complete(objectReconciler(manager.client, Thing, reconcile));
    const names = Array.from({ length: 40 }, (_, index) => `thing-${index}`);
    await start(...names);
    // A user edits one object again and again, each time before the operator has come to rest.
    for (let size = 2; size <= 150; size += 1)
      await server.client.patch(Thing, key('thing-0'), { spec: { size } });
    await waitFor(() => names.every((name) => (runs.get(name) ?? 0) > 60), { message: 'the runs', timeout });
    expect(warnings).toEqual([]);
    expect(await metric()).toBe(0);
  },
  testTimeout,
);
