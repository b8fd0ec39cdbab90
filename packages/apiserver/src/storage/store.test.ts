import { expect, test } from 'vitest';
import { Store } from './store.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };

test('waiting ends at once for a reached revision, when it arrives for a future one, and otherwise after a timeout', async () => {
  const store = new Store({ changes: 10, characters: 1e6 }, 60_000);
  const table = store.createTable();
  table.put('a', object);
  await store.reached(1);
  const waiting = store.reached(3);
  table.put('b', object);
  table.put('c', object);
  await waiting;
  expect(store.revision).toBe(3);
  const hasty = new Store({ changes: 10, characters: 1e6 }, 1);
  await hasty.reached(5);
  expect(hasty.revision).toBe(0);
});
