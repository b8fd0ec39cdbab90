import { type KubernetesObject, type OwnerReference, defineKind } from 'ots-kubernetes';
import { expect, test } from 'vitest';
import { Thing } from '../../test/thing.ts';
import { enqueueOwner } from './enqueue-owner.ts';
import { requestsFromLabel } from './map-function.ts';

const Cluster = defineKind({
  apiVersion: 'example.com/v1',
  kind: 'Cluster',
  plural: 'clusters',
  scope: 'Cluster',
});

function owned(...owners: Partial<OwnerReference>[]): KubernetesObject {
  const ownerReferences = owners as OwnerReference[];
  return { apiVersion: 'v1', kind: 'Part', metadata: { name: 'x', namespace: 'here', ownerReferences } };
}

const controlled = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'a', controller: true };
const plain = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'b' };

test.each([
  ['the controller of the kind', [controlled], ['a']],
  ['the kind in another version', [{ ...controlled, apiVersion: 'example.com/v2' }], ['a']],
  ['an owner that does not control it', [plain], []],
  [
    'the controller among several owners',
    [{ ...plain, kind: 'Pod', apiVersion: 'v1' }, plain, controlled],
    ['a'],
  ],
  ['a kind of that name in another group', [{ ...controlled, apiVersion: 'v1' }], []],
  ['another kind of the group', [{ ...controlled, kind: 'Other' }], []],
  [
    'an apiVersion that cannot be read, and the right one after it',
    [{ ...controlled, apiVersion: 'a/b/c' }, controlled],
    ['a'],
  ],
  ['no apiVersion, and the right one after it', [{ ...controlled, apiVersion: '' }, controlled], ['a']],
  ['no object', [], []],
])('an object that is owned by %s', (_, owners, expected) => {
  expect(enqueueOwner(Thing)(owned(...owners))).toEqual(
    expected.map((name) => ({ name, namespace: 'here' })),
  );
});

test('an object without owner references has no owner', () => {
  expect(enqueueOwner(Thing)({ apiVersion: 'v1', kind: 'Part', metadata: { name: 'x' } })).toEqual([]);
});

test('every owner of the kind can be enqueued', () => {
  const map = enqueueOwner(Thing, { matchEveryOwner: true });
  expect(map(owned(controlled, plain, { ...plain, kind: 'Other', name: 'c' }))).toEqual([
    { name: 'a', namespace: 'here' },
    { name: 'b', namespace: 'here' },
  ]);
});

test('the request of a cluster-scoped owner has no namespace', () => {
  expect(enqueueOwner(Cluster)(owned({ ...controlled, kind: 'Cluster' }))).toEqual([{ name: 'a' }]);
});

test('a label names an object of the same namespace', () => {
  const labeled = {
    ...owned(),
    metadata: { name: 'x', namespace: 'here', labels: { 'example.com/for': 'a' } },
  };
  expect(requestsFromLabel(labeled, 'example.com/for')).toEqual([{ name: 'a', namespace: 'here' }]);
  expect(requestsFromLabel(labeled, 'other')).toEqual([]);
});
