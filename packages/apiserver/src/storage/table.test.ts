import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApiObject } from '../json/api-object.ts';
import type { Change } from './change-log.ts';
import { Store } from './store.ts';

const keys = ['a/1', 'a/2', 'a-b/1', 'b/1'];
const write = fc.record({ key: fc.constantFrom(...keys), remove: fc.boolean() });

function objectAt(round: number): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, round };
}

test('every revision in the history can be listed, and every later change is delivered once', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 40 }), (writes) => {
      const store = new Store({ changes: 100, characters: 1e6 });
      const table = store.createTable('/configmaps');
      const moments = [{ revision: 0, keys: [] as string[] }];
      for (const [round, { key, remove }] of writes.entries()) {
        const existing = table.get(key);
        if (!remove) table.put(key, objectAt(round));
        else if (existing) table.delete(existing);
        moments.push({ revision: store.revision, keys: table.list().map((record) => record.key) });
      }
      for (const moment of moments) {
        const listed = [...table.listAt(moment.revision)].map((record) => record.key);
        expect(listed).toStrictEqual(moment.keys);
        for (const prefix of ['', 'a/', 'a-b/', 'c/']) {
          for (const from of ['', 'a/2', 'b/0']) {
            const some = moment.keys.filter((key) => key.startsWith(prefix) && key >= from);
            expect([...table.listAt(moment.revision, prefix, from)].map(({ key }) => key)).toStrictEqual(
              some,
            );
            expect(table.countAt(moment.revision, prefix, from)).toBe(some.length);
          }
        }
        const revisions = table.log.after(moment.revision).map(({ record }) => record.revision);
        expect(revisions).toStrictEqual(
          Array.from({ length: store.revision - moment.revision }, (_, index) => moment.revision + index + 1),
        );
      }
      expect(table.list().map(({ key }) => key)).toStrictEqual(
        table
          .list()
          .map(({ key }) => key)
          .toSorted(byBytes),
      );
      expect(table.list('a/').every(({ key }) => key.startsWith('a/'))).toBe(true);
    }),
  );
});

test('a listener that writes does not change the order for other listeners', () => {
  const store = new Store({ changes: 100, characters: 1e6 });
  const table = store.createTable('/configmaps');
  const heard: string[] = [];
  const hear = (_: unknown, { type, record }: Change) => heard.push(`${type} ${record.revision}`);
  const stop = store.subscribe((_, { record }) => {
    if (record.revision < 3) table.put('a/1', objectAt(record.revision));
  });
  store.subscribe(hear);
  table.put('a/1', objectAt(0));
  expect(heard).toStrictEqual(['ADDED 1', 'MODIFIED 2', 'MODIFIED 3']);
  stop();
  const last = table.get('a/1');
  if (last) table.delete(last);
  expect(heard.at(-1)).toBe('DELETED 4');
});

test('old changes are dropped, but at least the configured number is kept', () => {
  const store = new Store({ changes: 3, characters: 1e6 });
  const table = store.createTable('/configmaps');
  for (let round = 0; round < 20; round += 1) table.put('a/1', objectAt(round));
  const kept = table.log.after(table.log.floor).length;
  expect(kept).toBeGreaterThanOrEqual(3);
  expect(kept).toBeLessThanOrEqual(6);
  expect(table.log.floor + kept).toBe(20);
});

test('fewer changes are kept of large objects', () => {
  const store = new Store({ changes: 100, characters: 10_000 });
  const table = store.createTable('/configmaps');
  const text = 'x'.repeat(1000);
  for (let round = 0; round < 50; round += 1) table.put('a/1', { ...objectAt(round), text });
  const kept = table.log.after(table.log.floor).length;
  expect(kept).toBeGreaterThan(2);
  expect(kept).toBeLessThan(10);
  table.put('a/1', { ...objectAt(50), text: text.repeat(20) });
  expect(table.log.after(table.log.floor)).toStrictEqual([]);
});

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
