import { expect, test } from 'vitest';
import { VirtualClock } from '../../../runtime/test/virtual-clock.ts';
import { Store } from './store.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };

test('waiting ends at once for a reached revision, when it arrives for a future one, and otherwise after a timeout', async () => {
  const clock = new VirtualClock();
  const store = new Store({ changes: 10, characters: 1e6 }, clock);
  const table = store.createTable('/configmaps');
  table.put('a', object);
  await store.reached(1);
  const waiting = store.reached(3);
  table.put('b', object);
  table.put('c', object);
  await waiting;
  expect(store.revision).toBe(3);
  expect(clock.delays).toStrictEqual([]);
  const inVain = store.reached(5);
  expect(clock.delays).toStrictEqual([3000]);
  await clock.advance(3000);
  await inVain;
  expect(store.revision).toBe(3);
});
