import type { KubernetesObject } from 'ots-kubernetes';
import { describe, expect, test } from 'vitest';
import { isApplied } from './applied.ts';

type Fields = Record<string, unknown>;
const metadata = { name: 'a', namespace: 'default' };
const kind = { apiVersion: 'v1', kind: 'Foo' };

/** An object with the spec, whose owner `me` has the fields of it. */
function object(spec: unknown, fields: Fields, entry: Fields = {}): KubernetesObject {
  const managedFields = [
    { manager: 'other', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} },
    { manager: 'me', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} },
    {
      manager: 'me',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': fields },
      ...entry,
    },
  ];
  return { ...kind, metadata: { ...metadata, uid: 'u', managedFields }, spec } as KubernetesObject;
}

function applied(spec: unknown, live: KubernetesObject, subresource?: string): boolean {
  return isApplied({ ...kind, metadata, spec }, live, 'me', subresource);
}

const leaf = {};
const ports = {
  'f:ports': {
    'k:{"port":80,"protocol":"TCP"}': { '.': leaf, 'f:port': leaf },
    'k:{"port":80,"protocol":"UDP"}': { '.': leaf, 'f:port': leaf, 'f:protocol': leaf },
  },
};
const livePorts = [
  { port: 80, protocol: 'TCP', nodePort: 1 },
  { port: 80, protocol: 'UDP' },
];

describe('an apply would change nothing', () => {
  test.each<[string, unknown, unknown, Fields]>([
    ['scalars', { a: 1, b: 'x' }, { a: 1, b: 'x', defaulted: true }, { 'f:a': leaf, 'f:b': leaf }],
    ['fields that are undefined', { a: 1, b: undefined }, { a: 1 }, { 'f:a': leaf }],
    ['objects', { a: { b: 1 } }, { a: { b: 1, c: 2 } }, { 'f:a': { '.': leaf, 'f:b': leaf } }],
    ['an atomic list', { a: [{ b: 1 }, 2] }, { a: [{ b: 1 }, 2] }, { 'f:a': leaf }],
    ['an empty object', { a: {} }, { a: {} }, { 'f:a': leaf }],
    [
      'a set with an item of another owner',
      { a: ['x', 'y'] },
      { a: ['x', 'z', 'y'] },
      { 'f:a': { 'v:"x"': leaf, 'v:"y"': leaf } },
    ],
    [
      'items by key, with a default in the key',
      { ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }] },
      { ports: [{ port: 9, protocol: 'TCP' }, ...livePorts] },
      ports,
    ],
  ])('%s', (_, spec, live, fields) => {
    expect(applied(spec, object(live, fields))).toBe(true);
  });

  test('the metadata is compared, too', () => {
    const fieldsV1 = { 'f:metadata': { 'f:labels': { 'f:a': leaf } } };
    const live = object({}, {}, { fieldsV1 });
    live.metadata.labels = { a: 'b', other: 'c' };
    const configuration = { ...kind, metadata: { ...metadata, labels: { a: 'b' } } };
    expect(isApplied(configuration, live, 'me', undefined)).toBe(true);
    expect(isApplied({ ...kind, metadata }, live, 'me', undefined)).toBe(false);
    expect(
      isApplied({ ...kind, metadata: { ...configuration.metadata, uid: 'u' } }, live, 'me', undefined),
    ).toBe(false);
  });
});

describe('an apply would or might change something', () => {
  test.each<[string, unknown, unknown, Fields]>([
    ['a value', { a: 1 }, { a: 2 }, { 'f:a': leaf }],
    ['a type', { a: 1 }, { a: '1' }, { 'f:a': leaf }],
    ['a field that is not ours yet', { a: 1, b: 1 }, { a: 1, b: 1 }, { 'f:a': leaf }],
    ['a field that we give up', { a: 1 }, { a: 1, b: 1 }, { 'f:a': leaf, 'f:b': leaf }],
    ['a field that is gone', { a: 1 }, {}, { 'f:a': leaf }],
    ['a null', { a: null }, { a: null }, { 'f:a': leaf }],
    ['an empty object that others have filled', { a: {} }, { a: { b: 1 } }, { 'f:a': leaf }],
    ['the order of items', { a: ['y', 'x'] }, { a: ['x', 'y'] }, { 'f:a': { 'v:"x"': leaf, 'v:"y"': leaf } }],
    ['an item more', { a: ['x', 'y'] }, { a: ['x', 'y'] }, { 'f:a': { 'v:"x"': leaf } }],
    ['an item less', { a: ['x'] }, { a: ['x', 'y'] }, { 'f:a': { 'v:"x"': leaf, 'v:"y"': leaf } }],
    ['an item twice', { a: ['x', 'x'] }, { a: ['x', 'y'] }, { 'f:a': { 'v:"x"': leaf, 'v:"y"': leaf } }],
    ['items by index', { a: ['x'] }, { a: ['x'] }, { 'f:a': { 'i:0': leaf } }],
    ['a key that cannot be read', { a: ['x'] }, { a: ['x'] }, { 'f:a': { 'k:{': leaf } }],
    [
      'a part of a key that was given before',
      { ports: [{ port: 80 }] },
      { ports: [{ port: 80, protocol: 'TCP' }] },
      { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': leaf, 'f:port': leaf, 'f:protocol': leaf } } },
    ],
    ['a name that all objects have', { constructor: 1 }, {}, { 'f:constructor': leaf }],
  ])('%s', (_, spec, live, fields) => {
    expect(applied(spec, object(live, fields))).toBe(false);
  });

  test.each<[string, Fields]>([
    ['no fields', { fieldsV1: undefined }],
    ['fields in another format', { fieldsType: 'FieldsV2' }],
    ['fields of another version of the kind', { apiVersion: 'v1beta1' }],
    ['fields of a subresource', { subresource: 'status' }],
    ['an update of ours that is not an apply', { operation: 'Update' }],
  ])('%s', (_, entry) => {
    expect(applied({ a: 1 }, object({ a: 1 }, { 'f:a': leaf }, entry))).toBe(false);
  });

  test('managedFields are missing because a transform removed them', () => {
    const live = object({ a: 1 }, { 'f:a': leaf });
    delete live.metadata.managedFields;
    expect(applied({ a: 1 }, live)).toBe(false);
  });

  test('a subresource has its own entries', () => {
    const live = object({ a: 1 }, { 'f:a': leaf }, { subresource: 'status' });
    expect(applied({ a: 1 }, live, 'status')).toBe(true);
    expect(applied({ a: 1 }, live, 'other')).toBe(false);
  });
});
