import { expect, test } from 'vitest';
import { type Thing, thing } from '../../test/thing.ts';
import { ObjectStore } from './object-store.ts';

function version(name: string, resourceVersion: string, uid: string = name): Thing {
  const object = thing(name);
  return { ...object, metadata: { ...object.metadata, uid, resourceVersion } };
}

function types(changes: { type: string; object: Thing }[]): string[] {
  return changes.map(({ type, object }) => `${type} ${object.metadata.name} ${object.metadata.uid}`);
}

test('a list is compared with the known objects: new, changed, gone, and equal', () => {
  const store = new ObjectStore<Thing>();
  expect(types(store.replace([version('a', '1'), version('b', '2'), version('c', '3')]))).toEqual([
    'added a a',
    'added b b',
    'added c c',
  ]);
  expect(types(store.replace([version('a', '1'), version('b', '5'), version('d', '6')]))).toEqual([
    'updated b b',
    'added d d',
    'deleted c c',
  ]);
  expect(store.size).toBe(3);
});

test('an object that was deleted and recreated is reported as both', () => {
  const store = new ObjectStore<Thing>();
  store.replace([version('a', '1', 'old')]);
  expect(types(store.replace([version('a', '9', 'new')]))).toEqual(['deleted a old', 'added a new']);
});

test('an event without news is not a change', () => {
  const store = new ObjectStore<Thing>();
  store.upsert(version('a', '1'));
  expect(store.upsert(version('a', '1'))).toEqual([]);
  expect(types(store.delete(version('a', '2')))).toEqual(['deleted a a']);
  expect(store.delete(version('a', '2'))).toEqual([]);
});
