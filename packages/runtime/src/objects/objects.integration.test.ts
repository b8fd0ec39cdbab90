import { Namespace } from 'ots-kubernetes/core/v1';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { refusal } from '../../test/refusal.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { ApiError, isBadRequest, isConflict, isInvalid, isNotFound } from '../errors/api-error.ts';
import type { Client } from '../client/client.ts';
import { classifyError } from '../controller/classify-error.ts';
import { createOrPatch } from '../create-or-update/create-or-patch.ts';
import { createOrUpdate } from '../create-or-update/create-or-update.ts';
import { FinalizerRegistry } from '../finalizers/finalizer-registry.ts';
import type { ObjectKey } from './object-key.ts';
import type { JsonPatchOperation } from './patches.ts';
import { setControllerReference } from './owner-references.ts';
import { dropFinalizer, ensureFinalizer } from '../finalizers/patch-finalizer.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const a = 'example.com/a';
const b = 'example.com/b';
const server = apiServerFixture(thingCrds);
let client: Client;
let key: ObjectKey;
let names = 0;

beforeEach(() => {
  ({ client } = server);
  names += 1;
  key = { name: `thing-${names}`, namespace: 'default' };
});

async function create(...finalizers: string[]): Promise<Thing> {
  const object = thing(key.name);
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  return client.create(Thing, object);
}

async function finalizersNow(): Promise<readonly string[] | undefined> {
  return (await client.get(Thing, key))?.metadata.finalizers;
}

/** A client whose JSON patches take another way. */
function patching(jsonPatch: (patch: JsonPatchOperation[]) => Promise<Thing>): Pick<Client, 'patch'> {
  const patch = async (...[kind, of, body, options]: Parameters<Client['patch']>): Promise<unknown> =>
    Array.isArray(body) ? jsonPatch(body) : client.patch(kind, of, body, options);
  return { patch } as Pick<Client, 'patch'>;
}

/** Repeats the work after a conflict, as the queue of a controller does: one of two rivals can lose ten times in a row. */
async function requeued<R>(work: () => Promise<R>): Promise<R> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (classifyError(error) !== 'conflict') throw error;
    }
  }
}

describe('ensureFinalizer and dropFinalizer', () => {
  test('add and remove, once', async () => {
    const created = await create();
    const first = await ensureFinalizer(client, Thing, created, a);
    expect(first.metadata.finalizers).toEqual([a]);
    expect(await ensureFinalizer(client, Thing, first, a)).toBe(first);
    const second = await ensureFinalizer(client, Thing, first, b);
    expect(second.metadata.finalizers).toEqual([a, b]);
    expect((await dropFinalizer(client, Thing, second, a))?.metadata.finalizers).toEqual([b]);
    const last = await dropFinalizer(client, Thing, second, b);
    expect(last?.metadata.finalizers ?? []).toEqual([]);
    expect(await dropFinalizer(client, Thing, last!, b)).toBe(last);
  });

  test('work on the current object, not on the one that was read', async () => {
    const stale = await create();
    await ensureFinalizer(client, Thing, stale, a);
    expect((await ensureFinalizer(client, Thing, stale, b)).metadata.finalizers).toEqual([a, b]);
    expect((await ensureFinalizer(client, Thing, stale, b)).metadata.finalizers).toEqual([a, b]);
    const both = (await client.get(Thing, key))!;
    await dropFinalizer(client, Thing, both, a);
    expect((await dropFinalizer(client, Thing, both, b))?.metadata.finalizers ?? []).toEqual([]);
  });

  test('add once and remove the right one, even if the list changed in between', async () => {
    const c = 'example.com/c';
    const stale = await create(a, b);
    await ensureFinalizer(client, Thing, stale, c);
    const all = await ensureFinalizer(client, Thing, stale, c);
    expect(all.metadata.finalizers).toEqual([a, b, c]);
    await dropFinalizer(client, Thing, all, a);
    expect((await dropFinalizer(client, Thing, all, b))?.metadata.finalizers).toEqual([c]);
  });

  test('remove a finalizer that is listed twice', async () => {
    const created = await create(a, b, a);
    expect((await dropFinalizer(client, Thing, created, a))?.metadata.finalizers).toEqual([b]);
  });

  test('ignore other changes', async () => {
    const stale = await create();
    await client.patch(Thing, key, { spec: { size: 5 } });
    const object = await ensureFinalizer(client, Thing, stale, a);
    expect(object).toMatchObject({ spec: { size: 5 }, metadata: { finalizers: [a] } });
  });

  test('removing the last finalizer of an object that is being deleted deletes it', async () => {
    const created = await create(a);
    await client.delete(Thing, key);
    const deleting = (await client.get(Thing, key))!;
    await expect(ensureFinalizer(client, Thing, deleting, b)).rejects.toThrow('is being deleted');
    // Also when the caller does not know that yet. Then it is not a bug of the caller.
    const overtaken = await refusal(ensureFinalizer(client, Thing, created, b));
    expect(overtaken).toMatchObject({ message: expect.stringContaining('is being deleted') });
    expect(classifyError(overtaken)).toBe('conflict');
    await dropFinalizer(client, Thing, deleting, a);
    expect(await client.get(Thing, key)).toBeUndefined();
    expect(await dropFinalizer(client, Thing, deleting, a)).toBeUndefined();
    const gone = await refusal(ensureFinalizer(client, Thing, created, b));
    expect([isNotFound(gone), classifyError(gone)]).toEqual([true, 'gone']);
  });

  test('another object of the same name keeps its finalizers', async () => {
    const first = await create(a);
    await client.delete(Thing, key);
    await dropFinalizer(client, Thing, first, a);
    await create(a);
    expect(await dropFinalizer(client, Thing, first, a)).toBeUndefined();
    expect(isNotFound(await refusal(ensureFinalizer(client, Thing, first, b)))).toBe(true);
    expect(await finalizersNow()).toEqual([a]);
  });

  test('a refusal for another reason is an error at once', async () => {
    const created = await create();
    expect(isInvalid(await refusal(ensureFinalizer(client, Thing, created, 'not a name!')))).toBe(true);
  });

  test('a refusal that names no fields is an error as soon as the object proves to be unchanged', async () => {
    const created = await create(a);
    let refusals = 0;
    const refusing = patching(async () => {
      refusals += 1;
      throw new ApiError({ code: 422, reason: 'Invalid', message: 'the webhook refuses' });
    });
    const again = await client.patch(Thing, key, { spec: { size: 5 } });
    await expect(dropFinalizer(refusing, Thing, again, a)).rejects.toThrow('the webhook refuses');
    expect(refusals).toBe(1);
    // With an object that is out of date, the second attempt shows it.
    await expect(dropFinalizer(refusing, Thing, created, a)).rejects.toThrow('the webhook refuses');
    expect(refusals).toBe(3);
  });

  test('other writers that are faster ten times in a row are a conflict', async () => {
    const created = await create();
    let attempts = 0;
    const slow = patching(async (patch) => {
      attempts += 1;
      await client.patch(Thing, key, { metadata: { finalizers: attempts % 2 === 1 ? [b] : null } });
      return client.patch(Thing, key, patch, { type: 'json' });
    });
    const lost = await refusal(ensureFinalizer(slow, Thing, created, a));
    expect(lost).toMatchObject({
      status: 409,
      message: `other writers changed the finalizers of the Thing default/${key.name} 10 times, each time before this change`,
    });
    expect([attempts, classifyError(lost)]).toEqual([10, 'conflict']);
  });

  test('a 404 of a proxy does not mean that the object is gone', async () => {
    const proxy = { code: 404, reason: 'NotFound', message: 'no backend', foreign: true };
    const away = { patch: () => Promise.reject(new ApiError(proxy)) };
    const metadata = { name: 'a', namespace: 'default', uid: 'u', finalizers: [a] };
    const object = { ...thing('a'), metadata };
    await expect(dropFinalizer(away, Thing, object, a)).rejects.toThrow('no backend');
    await expect(ensureFinalizer(away, Thing, object, b)).rejects.toThrow('no backend');
  });

  test('two controllers that add and remove at the same time lose nothing', async () => {
    const created = await create('example.com/third');
    // Two controllers, an addition and a removal each: 80 writes.
    const rounds = 20;
    const toggle = async (own: string, other: string): Promise<void> => {
      let known = created;
      for (let round = 0; round < rounds; round += 1) {
        known = (await requeued(() => ensureFinalizer(client, Thing, known, own))) as Thing;
        expect(known.metadata.finalizers).toEqual(expect.arrayContaining([own, 'example.com/third']));
        if (round === rounds - 1) return;
        known = (await requeued(() => dropFinalizer(client, Thing, known, own))) as Thing;
        expect(known.metadata.finalizers).not.toContain(own);
        // What it remembers of the other is long out of date every other time.
        if (round % 2 === 0) known = { ...created, metadata: { ...created.metadata, finalizers: [other] } };
      }
    };
    await Promise.all([toggle(a, b), toggle(b, a)]);
    expect((await finalizersNow())!.toSorted()).toEqual([a, b, 'example.com/third']);
  });
});

describe('FinalizerRegistry', () => {
  test('adds all to a live object; cleans up in order and removes on deletion', async () => {
    const calls: string[] = [];
    const finalizers = new FinalizerRegistry(client, Thing)
      .register(b, () => void calls.push('b'))
      .register(a, async () => void calls.push('a'));
    const alive = await finalizers.finalize(await create('example.com/other'));
    expect(alive?.metadata.finalizers).toEqual(['example.com/other', b, a]);
    expect(calls).toEqual([]);
    await client.delete(Thing, key);
    expect(await finalizers.finalize((await client.get(Thing, key))!)).toBeUndefined();
    expect(calls).toEqual(['b', 'a']);
    expect(await finalizersNow()).toEqual(['example.com/other']);
    expect(await finalizers.finalize((await client.get(Thing, key))!)).toBeUndefined();
    expect(calls).toEqual(['b', 'a']);
  });

  test('a cleanup that fails keeps its finalizer, and does not stop the others', async () => {
    const failure = new Error('the bucket is not empty');
    let failing = true;
    const finalizers = new FinalizerRegistry(client, Thing)
      .register(a, async () => {
        if (failing) throw failure;
      })
      .register(b, () => {});
    await finalizers.finalize(await create());
    await client.delete(Thing, key);
    const error = await refusal(finalizers.finalize((await client.get(Thing, key))!));
    expect(error).toMatchObject({ code: 'FINALIZER', message: `Cleaning up failed: ${a}`, cause: failure });
    expect((error as { errors: Map<string, unknown> }).errors).toEqual(new Map([[a, failure]]));
    expect(await finalizersNow()).toEqual([a]);
    failing = false;
    await finalizers.finalize((await client.get(Thing, key))!);
    expect(await client.get(Thing, key)).toBeUndefined();
  });

  test('a name is registered once', () => {
    const finalizers = new FinalizerRegistry(client, Thing).register(a, () => {});
    expect(() => finalizers.register(a, () => {})).toThrow('registered twice');
  });
});

describe('createOrUpdate', () => {
  const withSize =
    (size: number) =>
    (draft: Thing): void => {
      draft.spec = { ...draft.spec, size };
    };

  test('creates, keeps, updates', async () => {
    const created = await createOrUpdate(client, Thing, key, withSize(1));
    expect(created).toMatchObject({ result: 'created', object: { spec: { size: 1 }, metadata: key } });
    const same = await createOrUpdate(client, Thing, key, withSize(1));
    expect(same).toMatchObject({ result: 'unchanged', object: { metadata: created.object.metadata } });
    const updated = await createOrUpdate(client, Thing, key, async (draft) => withSize(2)(draft));
    expect(updated).toMatchObject({ result: 'updated', object: { spec: { size: 2 } } });
    expect(updated.object.metadata.uid).toBe(created.object.metadata.uid);
    expect((await createOrUpdate(client, Thing, key, () => {})).result).toBe('unchanged');
    const undefinedField = await createOrUpdate(client, Thing, key, (draft) => {
      Object.assign(draft.spec, { text: undefined });
    });
    expect(undefinedField.result).toBe('unchanged');
  });

  test('sets an owner', async () => {
    const owner = await create();
    const child = { ...key, name: `${key.name}-child` };
    const { object } = await createOrUpdate(client, Thing, child, (draft) => {
      setControllerReference(owner, draft);
      withSize(1)(draft);
    });
    expect(object.metadata.ownerReferences).toMatchObject([{ uid: owner.metadata.uid, controller: true }]);
  });

  test.each([
    ['name', 'other'],
    ['namespace', 'kube-system'],
  ])(
    'a mutate that changes the %s is refused, for a new object and for an existing one',
    async (field, value) => {
      const rename = (draft: Thing): void => {
        withSize(1)(draft);
        Object.assign(draft.metadata, { [field]: value });
      };
      await expect(createOrUpdate(client, Thing, key, rename)).rejects.toThrow('mutate renamed the Thing');
      await create();
      await expect(createOrUpdate(client, Thing, key, rename)).rejects.toThrow('mutate renamed the Thing');
      await expect(createOrPatch(client, Thing, key, rename)).rejects.toThrow('mutate renamed the Thing');
    },
  );

  test('an error of mutate is rethrown, and nothing is written', async () => {
    const mutate = (): never => {
      throw new Error('no');
    };
    await expect(createOrUpdate(client, Thing, key, mutate)).rejects.toThrow('no');
    expect(await client.get(Thing, key)).toBeUndefined();
  });

  test('retries once after a conflict, on the new state', async () => {
    await create();
    let runs = 0;
    const { object, result } = await createOrUpdate(client, Thing, key, async (draft) => {
      runs += 1;
      if (runs === 1) await client.patch(Thing, key, { spec: { text: 'meanwhile' } });
      withSize(9)(draft);
    });
    expect([runs, result]).toEqual([2, 'updated']);
    expect(object.spec).toEqual({ size: 9, text: 'meanwhile' });
  });

  test('retries once when another client created it', async () => {
    let runs = 0;
    const { result } = await createOrUpdate(client, Thing, key, async (draft) => {
      runs += 1;
      if (runs === 1) await create();
      withSize(9)(draft);
    });
    expect([runs, result]).toEqual([2, 'updated']);
  });

  test('gives up after the second conflict', async () => {
    await create();
    let size = 2;
    const mutate = async (draft: Thing): Promise<void> => {
      size += 1;
      await client.patch(Thing, key, { spec: { size } });
      withSize(9)(draft);
    };
    expect(isConflict(await refusal(createOrUpdate(client, Thing, key, mutate)))).toBe(true);
    expect(size).toBe(4);
  });

  test('writes as the options say', async () => {
    const owners = async (): Promise<unknown> =>
      (await client.get(Thing, key))?.metadata.managedFields?.map(({ manager }) => manager);
    const dry = await createOrUpdate(client, Thing, key, withSize(1), { dryRun: true });
    expect(dry).toMatchObject({ result: 'created', object: { spec: { size: 1 } } });
    expect(await owners()).toBeUndefined();
    await createOrUpdate(client, Thing, key, withSize(1), { fieldOwner: 'first' });
    expect(await owners()).toEqual(['first']);
    const updating = await createOrUpdate(client, Thing, key, withSize(2), { dryRun: true });
    expect(updating).toMatchObject({ result: 'updated', object: { spec: { size: 2 } } });
    await createOrUpdate(client, Thing, key, withSize(3), { fieldOwner: 'second' });
    expect(await owners()).toEqual(['first', 'second']);
    const unknown = (draft: Thing): void => void Object.assign(draft.spec, { unknown: true });
    const strictly = { fieldValidation: 'Strict' } as const;
    expect(isBadRequest(await refusal(createOrUpdate(client, Thing, key, unknown, strictly)))).toBe(true);
    expect((await client.get(Thing, key))!.spec).toEqual({ size: 3 });
  });

  test('another failure of the read is an error at once', async () => {
    const failing = Object.create(client, {
      get: { value: () => Promise.reject(new Error('away')) },
    }) as Client;
    await expect(createOrUpdate(failing, Thing, key, () => {})).rejects.toThrow('away');
  });
});

describe('createOrPatch', () => {
  const set =
    (size: number, status?: Thing['status']) =>
    (draft: Thing): void => {
      draft.spec = { ...draft.spec, size };
      if (status) draft.status = status;
    };

  test('creates, with its status', async () => {
    const created = await createOrPatch(client, Thing, key, set(1, { size: 7 }));
    expect(created).toMatchObject({
      result: 'created',
      statusUpdated: true,
      object: { status: { size: 7 } },
    });
    expect(await client.get(Thing, key)).toEqual(created.object);
  });

  test('keeps the status that the server gives a new object', async () => {
    const name = { name: key.name };
    const created = await createOrPatch(client, Namespace, name, () => {});
    expect(created).toMatchObject({
      result: 'created',
      statusUpdated: false,
      object: { status: { phase: 'Active' } },
    });
  });

  test.each([
    ['nothing', set(1, { size: 1 }), 'unchanged', false],
    ['the spec', set(2), 'updated', false],
    ['the status', set(1, { size: 2 }), 'unchanged', true],
    ['both', set(2, { size: 2 }), 'updated', true],
  ])('patches only what changed: %s', async (_, mutate, result, statusUpdated) => {
    await createOrPatch(client, Thing, key, set(1, { size: 1 }));
    const patched = await createOrPatch(client, Thing, key, mutate);
    expect(patched).toMatchObject({ result, statusUpdated });
    const wanted = thing(key.name);
    wanted.status = { size: 1 };
    mutate(wanted);
    expect(patched.object).toMatchObject({ spec: wanted.spec, status: wanted.status });
    expect(await client.get(Thing, key)).toEqual(patched.object);
  });

  test('writes object and status as the options say', async () => {
    await createOrPatch(client, Thing, key, set(1, { size: 1 }), { fieldOwner: 'first' });
    const { object } = await createOrPatch(client, Thing, key, set(2, { size: 2 }), { fieldOwner: 'second' });
    const owners = object.metadata.managedFields!.map(
      ({ manager, subresource = 'all' }) => `${subresource} of ${manager}`,
    );
    expect(owners).toEqual(
      expect.arrayContaining(['all of first', 'status of first', 'all of second', 'status of second']),
    );
  });

  test('removes what mutate removed, and keeps what others changed meanwhile', async () => {
    await createOrPatch(client, Thing, key, (draft) => {
      draft.spec = { size: 1, text: 'x' };
    });
    const { object } = await createOrPatch(client, Thing, key, async (draft) => {
      await client.patch(Thing, key, { spec: { size: 3 } });
      delete draft.spec.text;
    });
    expect(object.spec).toEqual({ size: 3 });
  });

  test('retries once when another client created it', async () => {
    let runs = 0;
    const { result } = await createOrPatch(client, Thing, key, async (draft) => {
      runs += 1;
      if (runs === 1) await create();
      set(9)(draft);
    });
    expect([runs, result]).toEqual([2, 'updated']);
  });
});
