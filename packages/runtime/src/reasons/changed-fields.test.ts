import type { KubernetesObject } from 'ots-kubernetes';
import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

interface Some extends KubernetesObject {
  [field: string]: unknown;
}

const object = (rest: Record<string, unknown>): Some => ({
  apiVersion: 'v1',
  kind: 'Some',
  metadata: { name: 'a' },
  ...rest,
});
const changed = (before: Record<string, unknown>, after: Record<string, unknown>): string[] =>
  changedFields(object(before), object(after)).paths;
const named = (name: string, image: string) => ({ name, image });

test.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
  ['a field', { spec: { replicas: 1 } }, { spec: { replicas: 2 } }, ['spec.replicas']],
  ['a field that is new, or gone', { spec: { a: 1 } }, { status: { b: 1 } }, ['spec', 'status']],
  ['a field that is null', { spec: { a: null } }, { spec: { a: {} } }, ['spec.a']],
  [
    'labels, which are data',
    { metadata: { name: 'a', labels: { app: 'a', old: '1' } } },
    { metadata: { name: 'a', labels: { app: 'b', 'example.com/x': '1' } } },
    ['metadata.labels["app"]', 'metadata.labels["example.com/x"]', 'metadata.labels["old"]'],
  ],
  ['the data of a Secret', { data: { key: 'eA==' } }, { data: { key: 'eQ==' } }, ['data["key"]']],
  [
    'conditions, by their types',
    { status: { conditions: [{ type: 'Ready', status: 'False' }, { type: 'Old' }] } },
    { status: { conditions: [{ type: 'New' }, { type: 'Ready', status: 'True' }] } },
    ['status.conditions[type=Ready].status', 'status.conditions[type=Old]', 'status.conditions[type=New]'],
  ],
  [
    'containers, by their names',
    { spec: { containers: [named('web', '1'), named('log', '1')] } },
    { spec: { containers: [named('web', '2'), named('log', '1')] } },
    ['spec.containers[name=web].image'],
  ],
  [
    'the order of a list',
    { spec: { containers: [named('web', '1'), named('log', '1')] } },
    { spec: { containers: [named('log', '1'), named('web', '1')] } },
    ['spec.containers'],
  ],
  [
    'items without a key, by their index',
    { spec: { rules: [{ host: 'a' }, { host: 'b' }] } },
    { spec: { rules: [{ host: 'a' }, { host: 'c' }, { host: 'd' }] } },
    ['spec.rules[1].host', 'spec.rules[2]'],
  ],
  [
    'items whose names may be secret, by their index',
    { spec: { users: [{ name: 'pass word', x: 1 }] } },
    { spec: { users: [{ name: 'pass word', x: 2 }] } },
    ['spec.users[0].x'],
  ],
  ['a list of scalars', { spec: { args: ['a'] } }, { spec: { args: ['b'] } }, ['spec.args']],
  [
    'equal lists and objects',
    { spec: { a: [1, { b: 2 }], c: {} } },
    { spec: { a: [1, { b: 2 }], c: {} } },
    [],
  ],
])('finds %s', (_, before, after, paths) => {
  expect(changed(before, after)).toEqual(paths);
});

test('what every write changes does not count, except the owners of fields if nothing else has changed', () => {
  const version = (resourceVersion: string, manager: string, rest = {}) => ({
    metadata: {
      name: 'a',
      resourceVersion,
      generation: Number(resourceVersion),
      managedFields: [{ manager }],
    },
    ...rest,
  });
  expect(changed(version('1', 'a', { spec: 1 }), version('2', 'b', { spec: 2 }))).toEqual(['spec']);
  expect(changed(version('1', 'a'), version('2', 'a'))).toEqual([]);
  expect(changed(version('1', 'a'), version('2', 'b'))).toEqual(['metadata.managedFields']);
});

test('is bounded in number, depth and length', () => {
  const many = (value: number) => ({
    spec: Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`f${i}`, value])),
  });
  const found = changedFields(object(many(1)), object(many(2)));
  expect([found.paths.length, found.hasMore]).toEqual([20, true]);
  const exact = (value: number) => object({ a: Array.from({ length: 20 }, () => ({ value })) });
  expect(changedFields(exact(1), exact(2))).toMatchObject({ hasMore: false });
  const deep = (value: unknown): unknown =>
    Array.from({ length: 1000 }).reduce((inner) => ({ f: inner }), value);
  expect(changed({ spec: deep(1) }, { spec: deep(2) })).toEqual([`spec${'.f'.repeat(11)}`]);
  const long = 'x'.repeat(5000);
  expect(changed({ spec: { [long]: 1 } }, { spec: { [long]: 2 } })[0]).toHaveLength(200);
});
