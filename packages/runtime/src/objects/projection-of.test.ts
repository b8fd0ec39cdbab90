import { Deployment } from 'ots-kubernetes/apps/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { Thing } from '../../test/thing.ts';
import type { Client } from '../client/client.ts';
import { createOrUpdate } from '../create-or-update/create-or-update.ts';
import { metadataOf } from './metadata-of.ts';
import { projectionOf } from './projection-of.ts';
import { projectorOf } from './projector.ts';
import { unstructured } from './unstructured.ts';

const Custom = unstructured({
  apiVersion: 'example.com/v1',
  kind: 'Custom',
  plural: 'customs',
  scope: 'Namespaced',
});
const identity = { apiVersion: 'example.com/v1', kind: 'Custom', metadata: { name: 'a' } };

describe('a projection', () => {
  test.each<[string, string[], object, object]>([
    ['a field', ['spec.a'], { spec: { a: 1, b: 2 } }, { spec: { a: 1 } }],
    ['a field with all in it', ['spec'], { spec: { a: [{ b: 1 }] }, status: 1 }, { spec: { a: [{ b: 1 }] } }],
    [
      'fields in one field',
      ['spec.a.b', 'spec.a.c', 'spec.d'],
      { spec: { a: { b: 1, c: 2, e: 3 }, d: 4 } },
      { spec: { a: { b: 1, c: 2 }, d: 4 } },
    ],
    [
      'what is around a field that is named as well',
      ['spec.a.b', 'spec', 'spec.c'],
      { spec: { a: { b: 1 }, d: 2 } },
      { spec: { a: { b: 1 }, d: 2 } },
    ],
    [
      'what has a field that is not there',
      ['spec.a.b', 'status.c'],
      { spec: { a: {} } },
      { spec: { a: {} } },
    ],
    ['values that are false or null', ['spec'], { spec: null, status: 0 }, { spec: null }],
    [
      'nothing of a list or a scalar that a path leads into',
      ['spec.a', 'status.b'],
      { spec: [{ a: 1 }], status: 'x' },
      {},
    ],
    [
      'nothing that every JavaScript object has',
      ['constructor', 'spec.toString'],
      { spec: {} },
      { spec: {} },
    ],
  ])('keeps %s', (_, fields, from, to) => {
    const whole = { ...identity, ...structuredClone(from) };
    const projected = projectorOf(projectionOf(Custom, fields))(whole);
    expect(projected).toStrictEqual({ ...identity, ...to });
    expect(whole).toEqual({ ...identity, ...from });
  });

  test('of the same fields is the same, in whatever order they are named', () => {
    const kind = projectionOf(Thing, ['status.size', 'spec.text', 'spec.text']);
    expect(kind).toEqual(projectionOf(Thing, ['spec.text', 'status.size']));
    expect(kind.fields).toEqual(['spec.text', 'status.size']);
    expect(projectionOf(Thing, ['spec.size', 'status', 'spec']).fields).toEqual(['spec', 'status']);
  });

  test.each(['', '.spec', 'spec.', 'spec..a', 'metadata', 'metadata.labels', 'kind', 'apiVersion'])(
    'of the field %j is refused',
    (field) => {
      expect(() => projectionOf(Custom, ['spec', field])).toThrow(expect.objectContaining({ code: 'USAGE' }));
    },
  );

  test('of no field is refused: that is the metadata', () => {
    expect(() => projectionOf(Custom, [])).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('metadataOf') }),
    );
  });
});

describe('types', () => {
  const Small = projectionOf(Thing, ['spec.text', 'status']);
  // Compiled, and never run.
  const examples = async (client: Client): Promise<void> => {
    const small = await client.getOrThrow(Small, { name: 'a' });
    expectTypeOf(small.spec).toEqualTypeOf<{ readonly text?: string }>();
    expectTypeOf(small.status).toEqualTypeOf<{ readonly size?: number } | undefined>();
    expectTypeOf(small.metadata.labels?.['a']).toEqualTypeOf<string | undefined>();
    // @ts-expect-error a field that was left out
    void small.spec.size;
    // @ts-expect-error what was read is read-only
    small.spec.text = 'a';
    await client.patch(Small, { name: 'a' }, { spec: { text: 'b' } });
    await client.patch(Small, small, (draft) => void (draft.spec.text = 'b'));
    // @ts-expect-error a field that is not known cannot be patched
    await client.patch(Small, small, (draft) => void (draft.spec.size = 1));
    // @ts-expect-error the whole object is wanted: what was left out would be removed
    await client.update(Thing, small);
    // @ts-expect-error also where all of its fields are optional
    await client.update(Pod, await client.getOrThrow(projectionOf(Pod, ['status.phase']), { name: 'a' }));
    // @ts-expect-error no draft of the whole
    await client.patch(Thing, small, () => {});
    await createOrUpdate(client, Small, { name: 'a' }, (draft) => {
      // @ts-expect-error a field that was left out
      draft.spec.size = 1;
    });
    // @ts-expect-error a field that does not exist
    projectionOf(Thing, ['spec.siez']);
    // @ts-expect-error what is always there
    projectionOf(Thing, ['metadata']);
    // @ts-expect-error into a list
    projectionOf(Pod, ['spec.containers.0']);
    // @ts-expect-error into a map
    projectionOf(Pod, ['spec.nodeSelector.zone']);
    // @ts-expect-error of metadata there is no more
    projectionOf(metadataOf(Pod), ['spec']);
    const workload = await client.getOrThrow(
      projectionOf(Deployment, ['spec.replicas', 'spec.template.spec.containers', 'status.readyReplicas']),
      { name: 'a' },
    );
    expectTypeOf(workload.spec?.replicas).toEqualTypeOf<number | undefined>();
    void workload.spec?.template.spec?.containers[0]?.image;
    // @ts-expect-error a field that was left out, deep in it
    void workload.spec?.template.spec?.nodeName;
    const custom = await client.getOrThrow(projectionOf(Custom, ['any.field']), { name: 'a' });
    expectTypeOf(custom['any']).toEqualTypeOf<unknown>();
  };

  test('have the fields of the projection and no others', () => {
    expect(examples).toBeTypeOf('function');
  });
});
