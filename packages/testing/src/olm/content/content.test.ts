import type { KubernetesObject } from 'ots-kubernetes';
import { expect, test } from 'vitest';
import { bundleOf } from './bundle.ts';
import { catalogOf } from './catalog.ts';
import { documentsIn, documentsOf } from './documents.ts';

test.each([
  ['YAML documents', 'a: 1\n---\n# empty\n---\nb: "---"\n'],
  ['JSON values', '{"a": 1}\n{"b": "---"}'],
  ['JSON in one line', '{"a": 1}{"b": "---"}'],
])('%s are read', (_, text) => {
  expect(documentsOf(text, 'file')).toEqual([{ a: 1 }, { b: '---' }]);
});

test.each(['{"a": ', '{"a": "}', '[1]', 'a: [1', '- a', 'text', '{"a": 1}}'])('%j is not content', (text) => {
  expect(() => documentsOf(text, 'file')).toThrow(/^file: /);
});

test('a directory that is missing is not content', () => {
  expect(() => documentsIn('/missing')).toThrow('/missing is not a directory');
});

const csv = {
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  metadata: { name: 'a.v1' },
};

test.each([
  [[], 'the bundle has 0 ClusterServiceVersions'],
  [[csv, csv], 'the bundle has 2 ClusterServiceVersions'],
  [[csv], 'ClusterServiceVersion "a.v1" has no spec.install'],
  [[{ ...csv, spec: { install: 'x' } }], 'ClusterServiceVersion "a.v1" has no spec.install'],
  [[{ kind: 'Role' }], 'an object of kind "Role" lacks its apiVersion, kind or name'],
  [
    [{ apiVersion: 1, kind: null, metadata: [] }],
    'an object of kind "null" lacks its apiVersion, kind or name',
  ],
])('%j is not a bundle', (objects, problem) => {
  expect(() => bundleOf(objects as KubernetesObject[])).toThrow(problem);
});

const packageBlob = { schema: 'olm.package', name: 'a', defaultChannel: 'stable' };
const channel = { schema: 'olm.channel', package: 'a', name: 'stable', entries: [{ name: 'a.v1' }] };
const bundle = { schema: 'olm.bundle', package: 'a', name: 'a.v1', image: 'a:v1' };

test.each([
  [[], 'the catalog has no olm.package'],
  [[packageBlob], 'package "a" has no channel "stable", which is its default'],
  [[packageBlob, channel], 'channel "stable" of package "a" has no bundle "a.v1"'],
  [[packageBlob, channel, bundle], 'bundle "a.v1" has no property olm.package'],
  [[{ schema: 'olm.package' }], 'an object of schema "olm.package" has no name'],
  [[{ schema: 'olm.channel', entries: [null, 1, {}] }], 'an object of schema "olm.channel" has no'],
])('%j is not a catalog', (blobs, problem) => {
  expect(() => catalogOf(blobs)).toThrow(problem);
});
