import { expect, test } from 'vitest';
import { applyChange } from '../../../src/dev/model/apply-change.ts';
import type { DevChange } from '../../../src/dev/model/dev-change.ts';
import { DevStore } from '../../../src/dev/store/dev-store.ts';
import { devState, memcached, reconcile } from '../terminal/states.ts';

test('a store has the state that a reader of its changes has, and does not change where it began', () => {
  const initial = devState({ objects: { first: memcached({ uid: 'first' }) } });
  const before = structuredClone(initial);
  const store = new DevStore(initial);
  let read = initial;
  store.subscribe((change) => (read = applyChange(read, change)));
  const changes: DevChange[] = [
    { type: 'object', value: memcached({ uid: 'second' }) },
    { type: 'reconcile', value: reconcile() },
    { type: 'object', value: memcached({ uid: 'first', isGone: true }) },
    { type: 'forget', value: 'first' },
  ];
  for (const change of changes) {
    store.apply(change);
    expect(store.state).toEqual(read);
  }
  expect(Object.keys(store.state.objects)).toEqual(['second']);
  expect(initial).toEqual(before);
});

test('a change of an object does not copy the others', () => {
  const store = new DevStore(devState());
  const { objects } = store.state;
  store.apply({ type: 'object', value: memcached({ uid: 'new' }) });
  expect(store.state.objects).toBe(objects);
});
