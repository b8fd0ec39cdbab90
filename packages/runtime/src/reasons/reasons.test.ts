import { expect, test } from 'vitest';
import { Thing, thing } from '../../test/thing.ts';
import { type Cause, type ObjectCause, addCause } from './cause.ts';
import { reasonText } from './reason-text.ts';
import { reasonsOf } from './reasons-of.ts';

const at = (name: string, resourceVersion: string, size = 1, uid = name): Thing => {
  const object = thing(name, size);
  return { ...object, metadata: { ...object.metadata, uid, resourceVersion } };
};
const cause = (
  type: ObjectCause['type'],
  object: Thing,
  oldObject?: Thing,
  kind: ObjectCause<Thing>['kind'] = Thing,
): Cause => ({ type, kind, object, oldObject, events: 1 });
const merged = (...causes: Cause[]): Cause[] => {
  const all: Cause[] = [];
  for (const each of causes) addCause(all, each);
  return all;
};
const texts = (...causes: Cause[]): string[] => reasonsOf(merged(...causes)).map(reasonText);

test('an object that has left the cache with its namespace is not a deleted one', () => {
  const [first, second] = [at('a', '1'), at('a', '2')];
  expect(texts(cause('updated', second, first), cause('uncached', second))).toEqual([
    'Thing default/a uncached (2 events)',
  ]);
  expect(texts(cause('uncached', first), cause('start', second))).toEqual([
    'Thing default/a existed at the start',
  ]);
});

test('the updates of one object are one reason, with what they changed together', () => {
  const [first, second, third] = [at('a', '1', 1), at('a', '2', 2), at('a', '3', 3)];
  const other = cause('created', at('b', '9'));
  const causes = merged(cause('updated', second, first), other, cause('updated', third, second));
  expect(reasonsOf(causes)).toEqual([
    {
      type: 'event',
      event: 'updated',
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      namespace: 'default',
      name: 'a',
      oldResourceVersion: '1',
      resourceVersion: '3',
      events: 2,
      changedFields: ['spec.size'],
    },
    expect.objectContaining({ event: 'created', name: 'b', events: 1 }),
  ]);
  expect(reasonsOf(causes).map(reasonText)).toEqual([
    'Thing default/a updated (2 events): spec.size',
    'Thing default/b created',
  ]);
});

test('an object that is created and updated is created; one that is deleted is deleted; a new one is another', () => {
  const [first, second] = [at('a', '1'), at('a', '2', 2)];
  const created = cause('created', first);
  const updated = cause('updated', second, first);
  expect(texts(created, updated)).toEqual(['Thing default/a created (2 events)']);
  const deleted = cause('deleted', at('a', '3', 2));
  expect(texts(created, updated, deleted)).toEqual(['Thing default/a deleted (3 events)']);
  expect(texts(deleted, cause('created', at('a', '4', 1, 'other')))).toHaveLength(2);
  expect(texts(cause('start', first), updated)).toEqual(['Thing default/a existed at the start']);
});

test('an event that two watches deliver is one; the states of two caches are not compared', () => {
  const [first, second] = [at('a', '1', 1), at('a', '2', 2)];
  const updated = cause('updated', second, first);
  expect(texts(updated, updated)).toEqual(['Thing default/a updated: spec.size']);
  const metadataOnly = cause('updated', at('a', '2'), at('a', '1'), { ...Thing });
  expect(texts(updated, metadataOnly)).toHaveLength(2);
});

test('of many causes the first and the last few stay, with the number of the others', () => {
  const many = Array.from({ length: 20 }, (_, index) => cause('created', at(`t${index}`, '1')));
  expect(merged(...many.slice(0, 8))).toHaveLength(8);
  expect(texts(...many)).toEqual(
    [0, 1, 2, 3]
      .map((index) => `Thing default/t${index} created`)
      .concat('12 more')
      .concat([16, 17, 18, 19].map((index) => `Thing default/t${index} created`)),
  );
});

test('timers, failures and sources', () => {
  const source: Cause = { type: 'source', source: 'channel' };
  expect(
    texts(source, source, { type: 'source', source: undefined }, { type: 'requeue', after: 1500 }),
  ).toEqual(['source channel', 'controller.enqueue', 'requeueAfter 1.5 s']);
  const error = new Error(`Bearer abcdefgh ${'x'.repeat(1000)}`);
  const [backoff] = reasonsOf([{ type: 'backoff', attempt: 2, error }]);
  expect(reasonText(backoff!)).toMatch(/^attempt 2 failed: Bearer \[masked\] x{200,}…$/);
  expect((backoff as { error: string }).error).toHaveLength(500);
  expect(texts(cause('resync', at('a', '1')))).toEqual([
    'Thing default/a may own objects of a kind that appeared or disappeared',
  ]);
});
