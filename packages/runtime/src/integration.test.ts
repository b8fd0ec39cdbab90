import { ConfigMap } from 'ots-kubernetes/core/v1';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiServerFixture } from '../test/api-server-fixture.ts';
import { refusal } from '../test/refusal.ts';
import { Thing, thing, thingCrds } from '../test/thing.ts';
import {
  type Client,
  ControllerBuilder,
  type DeepReadonly,
  type Reconciler,
  type Request,
  type Result,
  addFinalizer,
  controllerReference,
  generationChanged,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  removeFinalizer,
  waitFor,
} from './index.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const finalizer = 'example.com/things';
const server = apiServerFixture(thingCrds);
let client: Client;
let namespace: string;

beforeEach(async () => {
  ({ client } = server);
  namespace = await server.createNamespace();
});

const here = (name: string, size = 1): Thing => {
  const object = thing(name, size);
  return { ...object, metadata: { ...object.metadata, namespace } };
};
const key = (name: string): { name: string; namespace: string } => ({ name, namespace });

/** Keeps a ConfigMap for every Thing, and counts Things that go. */
class ThingReconciler implements Reconciler {
  readonly gone: string[] = [];
  readonly #client: Client;

  constructor(toUse: Client) {
    this.#client = toUse;
  }

  async reconcile(request: Request): Promise<Result | void> {
    const read = await this.#client.get(Thing, request);
    if (!read) return;
    const object = structuredClone(read) as Thing;
    if (object.metadata.deletionTimestamp) {
      this.gone.push(request.name);
      if (removeFinalizer(object, finalizer)) await this.#client.update(Thing, object);
      return;
    }
    if (addFinalizer(object, finalizer)) await this.#client.update(Thing, object);
    const { name } = request;
    const data = { size: String(object.spec.size) };
    const existing = await this.#client.get(ConfigMap, request);
    if (!existing) {
      const metadata = {
        name,
        namespace: request.namespace!,
        ownerReferences: [controllerReference(object)],
      };
      await this.#client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    } else if (existing.data?.['size'] !== data.size) {
      await this.#client.patch(ConfigMap, request, { data });
    }
    if (object.status?.size !== object.spec.size) {
      await this.#client.status.patch(Thing, request, { status: { size: object.spec.size } });
    }
  }
}

function names(items: readonly DeepReadonly<Thing>[]): (string | undefined)[] {
  return items.map(({ metadata }) => metadata.name);
}

/** Which objects there are, and in which versions. */
function state(objects: readonly DeepReadonly<Thing>[]): string {
  return objects
    .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
    .toSorted()
    .join();
}

describe('an operator', () => {
  test('applies the desired state, repairs it, cleans up, and stops', async () => {
    const manager = await server.createManager(namespace);
    const reconciler = new ThingReconciler(manager.client);
    new ControllerBuilder(manager)
      .for(Thing, { predicates: [generationChanged()] })
      .owns(ConfigMap)
      .withOptions({ maxConcurrentReconciles: 4 })
      .complete(reconciler);
    await client.create(Thing, here('before', 1));
    const run = manager.start();
    await manager.ready;
    const reaches = (name: string, size: number): Promise<boolean> =>
      waitFor(
        async () => {
          const object = await client.get(Thing, key(name));
          const child = await client.get(ConfigMap, key(name));
          return object?.status?.size === size && child?.data?.['size'] === String(size);
        },
        { message: `${name} of ${size}` },
      );
    await reaches('before', 1);
    await client.patch(Thing, key('before'), { spec: { size: 2 } });
    await reaches('before', 2);

    await client.delete(ConfigMap, key('before'));
    await reaches('before', 2);
    await client.patch(ConfigMap, key('before'), { data: { size: 'by hand' } });
    await reaches('before', 2);

    const child = await client.get(ConfigMap, key('before'));
    expect(child!.metadata.ownerReferences).toMatchObject([
      { kind: 'Thing', name: 'before', controller: true },
    ]);

    await client.delete(Thing, key('before'));
    await waitFor(async () => (await client.get(Thing, key('before'))) === undefined);
    expect(reconciler.gone).toContain('before');
    await waitFor(() => manager.cache.list(Thing).length === 0);
    await manager.stop();
    await expect(run).resolves.toBeUndefined();
  });

  test('its cache equals the server’s state after many changes', async () => {
    const manager = await server.createManager(namespace);
    const runs = new Map<string, number>();
    new ControllerBuilder(manager).for(Thing).complete(async ({ name }) => {
      runs.set(name, manager.cache.get(Thing, key(name))?.spec.size ?? -1);
    });
    const run = manager.start();
    await manager.ready;
    const all = Array.from({ length: 30 }, (_, index) => `thing-${index}`);
    await Promise.all(
      all.map(async (name, index) => {
        await client.create(Thing, here(name, 0));
        for (let size = 1; size <= 3; size += 1) await client.patch(Thing, key(name), { spec: { size } });
        if (index % 3 === 0) await client.delete(Thing, key(name));
        if (index % 6 === 0) await client.create(Thing, here(name, 9));
      }),
    );
    const { items } = await client.list(Thing, { namespace });
    await waitFor(() => state(manager.cache.list(Thing)) === state(items));
    // Every object was reconciled after its last change.
    await waitFor(() =>
      all.every((name, index) => runs.get(name) === (index % 6 === 0 ? 9 : index % 3 === 0 ? -1 : 3)),
    );
    await manager.stop();
    await expect(run).resolves.toBeUndefined();
  });
});

describe('the client', () => {
  test('creates, reads, updates, patches and deletes', async () => {
    const created = await client.create(Thing, { ...here('a'), status: { size: 5 } });
    expect(created).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Thing', spec: { size: 1 } });
    expect(created.status).toBeUndefined();
    expect(await client.get(Thing, key('a'))).toEqual(created);
    const updated = await client.update(Thing, { ...created, spec: { size: 2, text: 'x' } });
    expect(updated.metadata.generation).toBe(2);
    const withStatus = await client.status.update(Thing, {
      ...updated,
      spec: { size: 99 },
      status: { size: 2 },
    });
    expect(withStatus).toMatchObject({ spec: { size: 2 }, status: { size: 2 }, metadata: { generation: 2 } });
    const merged = await client.patch(Thing, key('a'), { spec: { text: null }, status: { size: 7 } });
    expect(merged).toMatchObject({ spec: { size: 2 }, status: { size: 2 } });
    expect(merged.spec.text).toBeUndefined();
    const patched = await client.patch(Thing, key('a'), [{ op: 'replace', path: '/spec/size', value: 4 }], {
      type: 'json',
    });
    expect(patched.spec.size).toBe(4);
    const patchedStatus = await client.status.patch(
      Thing,
      key('a'),
      [{ op: 'remove', path: '/status/size' }],
      { type: 'json' },
    );
    expect(patchedStatus.status).toEqual({});
    await client.delete(Thing, key('a'), {
      preconditions: { uid: created.metadata.uid! },
      propagationPolicy: 'Background',
    });
    expect(await client.get(Thing, key('a'))).toBeUndefined();
  });

  test('refusals can be distinguished', async () => {
    const created = await client.create(Thing, here('a'));
    expect(isAlreadyExists(await refusal(client.create(Thing, here('a'))))).toBe(true);
    const invalid = await refusal(client.create(Thing, here('b', -1)));
    expect(isInvalid(invalid)).toBe(true);
    expect(invalid).toMatchObject({ status: 422, details: { causes: [{ field: 'spec.size' }] } });
    await client.update(Thing, { ...created, spec: { size: 2 } });
    expect(isConflict(await refusal(client.update(Thing, { ...created, spec: { size: 3 } })))).toBe(true);
    expect(
      isConflict(await refusal(client.delete(Thing, key('a'), { preconditions: { uid: 'other' } }))),
    ).toBe(true);
    expect(isNotFound(await refusal(client.delete(Thing, key('gone'))))).toBe(true);
    expect(isNotFound(await refusal(client.update(Thing, { ...created, metadata: key('gone') })))).toBe(true);
    expect(await client.get(ConfigMap, key('gone'))).toBeUndefined();
  });

  test('lists are paged, can select, and their items have a kind', async () => {
    for (const name of ['a', 'b', 'c']) {
      const object = here(name);
      object.metadata.labels = { name };
      await client.create(Thing, object);
    }
    const first = await client.list(Thing, { namespace, limit: 2 });
    const second = await client.list(Thing, { namespace, limit: 2, continue: first.metadata.continue });
    expect([names(first.items), names(second.items)]).toEqual([['a', 'b'], ['c']]);
    expect(second.metadata.continue ?? '').toBe('');
    expect(first.items[0]).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Thing' });
    expect(names((await client.list(Thing, { namespace, labelSelector: 'name in (a,c)' })).items)).toEqual([
      'a',
      'c',
    ]);
    expect(names((await client.list(Thing, { namespace, fieldSelector: 'metadata.name=b' })).items)).toEqual([
      'b',
    ]);
    const everywhere = await client.list(Thing, { labelSelector: 'name' });
    expect(names(everywhere.items)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  });
});
