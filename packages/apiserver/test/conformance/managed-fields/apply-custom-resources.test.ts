import { beforeAll, expect, test } from 'vitest';
import { ApplySession, type Step, outcome } from '../../support/apply-session.ts';
import { crdOf, installCrd, objectOf, pathOf, versionOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };

/** One list or map of every kind. */
const properties: any = {
  size: integer,
  name: string,
  withDefault: { type: 'string', default: 'd' },
  arr: { type: 'array', items: string },
  set: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
  numbers: { type: 'array', items: integer, 'x-kubernetes-list-type': 'set' },
  lm: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: string, v: string, w: integer } },
  },
  ports: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
    items: {
      type: 'object',
      required: ['port'],
      properties: { port: integer, protocol: { type: 'string', default: 'TCP' }, name: string },
    },
  },
  map: { type: 'object', additionalProperties: string },
  atomicMap: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: string },
  nested: {
    type: 'object',
    properties: { a: string, b: { type: 'object', properties: { c: string, d: string } } },
  },
  atomicObject: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: string, b: string } },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  half: {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { known: { type: 'object', properties: { a: string } } },
  },
  either: { 'x-kubernetes-int-or-string': true },
  nullable: { type: 'string', nullable: true },
  embedded: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
  listOfMaps: { type: 'array', items: { type: 'object', properties: { a: string } } },
  mapOfLists: {
    type: 'object',
    additionalProperties: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
  },
};

type Story = (s: ApplySession, path: string, of: (spec: unknown, rest?: object) => any) => Step[];

const stories: Record<string, Story> = {
  'scalars and defaults': (s, path, of) => [
    s.apply('a', path, of({ size: 1, name: 'x' })),
    s.apply('b', path, of({ withDefault: 'e' })),
    s.apply('b', path, of({})),
    s.apply('a', path, of({ size: 1 })),
  ],
  'an atomic list': (s, path, of) => [
    s.apply('a', path, of({ arr: ['x', 'y'] })),
    s.apply('b', path, of({ arr: ['y'] })),
    s.apply('b', path, of({ arr: ['x', 'y'] })),
    s.apply('b', path, of({ arr: ['z'] }), 'force=true'),
    s.apply('b', path, of({})),
  ],
  'a set': (s, path, of) => [
    s.apply('a', path, of({ set: ['x', 'y'], numbers: [3, 1] })),
    s.apply('b', path, of({ set: ['z', 'y', '<&>'], numbers: [10, 2] })),
    s.apply('a', path, of({ set: ['y'] })),
    s.apply('b', path, of({})),
    s.apply('a', path, of({})),
  ],
  'a list with keys': (s, path, of) => [
    s.apply(
      'a',
      path,
      of({
        lm: [
          { k: 'x', v: '1' },
          { k: 'y', v: '2' },
        ],
      }),
    ),
    s.apply('b', path, of({ lm: [{ k: 'z' }, { k: 'x', w: 3 }] })),
    s.apply('b', path, of({ lm: [{ k: 'x', v: '5' }] })),
    s.apply('b', path, of({ lm: [{ k: 'x', v: '5' }] }), 'force=true'),
    s.apply('a', path, of({ lm: [{ k: 'y', v: '2' }] })),
    s.apply('b', path, of({ lm: [] })),
    s.apply('a', path, of({})),
  ],
  'the order of merged lists': (s, path, of) => [
    s.apply('a', path, of({ set: ['a', 'b', 'c', 'd'] })),
    s.apply('b', path, of({ set: ['d', 'x', 'a'] })),
    s.apply('c', path, of({ set: ['1', 'b', '2', 'x', '3'] })),
    s.apply('a', path, of({ set: ['c', 'a'] })),
  ],
  'keys with defaults': (s, path, of) => [
    s.apply('a', path, of({ ports: [{ port: 80, name: 'web' }] })),
    s.apply(
      'b',
      path,
      of({
        ports: [
          { port: 80, protocol: 'UDP' },
          { port: 80, protocol: 'TCP', name: 'other' },
        ],
      }),
    ),
    s.apply('b', path, of({ ports: [{ protocol: 'UDP', port: 80 }] })),
    s.apply('a', path, of({})),
  ],
  'items that are there twice': (s, path, of) => [
    s.apply('a', path, of({ lm: [{ k: 'x' }, { k: 'x' }] })),
    s.apply('a', path, of({ set: ['x', 'x', 'y', 'y'] })),
    s.apply('a', path, of({ ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] })),
  ],
  'items without keys': (s, path, of) => [
    s.apply('a', path, of({ lm: [{ v: '1' }] })),
    s.apply('a', path, of({ lm: [null] })),
    s.apply('a', path, of({ lm: ['x'] })),
    s.apply('a', path, of({ set: [{}] })),
    s.apply('a', path, of({ set: [null] })),
    s.apply('a', path, of({ set: [['x']] })),
  ],
  'fields that do not fit': (s, path, of) => [
    s.apply('a', path, of({ nope: 1 })),
    s.apply('a', path, of({ nested: { b: { nope: 1 } } })),
    s.apply('a', path, of({ lm: [{ k: 'x', nope: 1 }] })),
    s.apply('a', path, of({ size: 'x' })),
    s.apply('a', path, of({ name: 5 })),
    s.apply('a', path, of({ name: 1.5 })),
    s.apply('a', path, of({ name: ['x', 1, { a: null }] })),
    s.apply('a', path, of({ nested: 'x' })),
    s.apply('a', path, of({ nested: ['x', 2] })),
    s.apply('a', path, of({ arr: 'x' })),
    s.apply('a', path, of({ arr: { a: 'b', b: [1, true] } })),
    s.apply('a', path, of({ arr: [1] })),
    s.apply('a', path, of({ map: { a: true } })),
    s.apply('a', path, of('x')),
    s.apply('a', path, of({}, { nope: true })),
    s.apply('a', path, of({ size: 1, lm: [{ k: 'x', w: 'y' }, { k: 'x' }] })),
  ],
  maps: (s, path, of) => [
    s.apply('a', path, of({ map: { x: '1', y: '1' }, atomicMap: { x: '1' } })),
    s.apply('b', path, of({ map: { z: '1' }, atomicMap: { y: '1' } })),
    s.apply('b', path, of({ map: { z: '1' } })),
    s.apply('b', path, of({ map: {} })),
    s.apply('a', path, of({ map: {} })),
    s.apply('a', path, of({})),
  ],
  'nested objects': (s, path, of) => [
    s.apply('a', path, of({ nested: { b: { c: '1' } }, atomicObject: { a: '1' } })),
    s.apply('b', path, of({ nested: { a: '1', b: { d: '1' } } })),
    s.apply('a', path, of({ nested: {} })),
    s.apply('b', path, of({ nested: {} })),
    s.apply('b', path, of({})),
    s.apply('a', path, of({})),
  ],
  'fields that nobody named': (s, path, of) => [
    s.apply(
      'a',
      path,
      of({ free: { a: { b: 1 }, l: [1] }, half: { known: { a: '1', more: 1 }, other: { x: [] } } }),
    ),
    s.apply('b', path, of({ free: { a: { c: 2 }, l: [2] } })),
    s.apply('b', path, of({ free: { a: { c: 2 }, l: [2] } }), 'force=true'),
    s.apply('b', path, of({ free: { a: 'scalar' } })),
    s.apply('b', path, of({ free: { a: 'scalar' } }), 'force=true'),
    s.apply('a', path, of({})),
  ],
  'numbers or texts': (s, path, of) => [
    s.apply('a', path, of({ either: 1 })),
    s.apply('b', path, of({ either: '1' })),
    s.apply('b', path, of({ either: '50%' }), 'force=true'),
  ],
  'null values': (s, path, of) => [
    s.apply('a', path, of({ nullable: null, name: null, size: 1 })),
    s.apply('b', path, of({ nullable: 'x', map: null, set: null, lm: null, nested: null })),
    s.apply('a', path, of({ size: null, map: { a: null } })),
  ],
  'embedded resources': (s, path, of) => [
    s.apply(
      'a',
      path,
      of({
        embedded: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'x', labels: { l: '1' } },
          data: { x: '1' },
        },
      }),
    ),
    s.apply('b', path, of({ embedded: { metadata: { labels: { m: '1' } }, data: { y: '1' } } })),
    s.apply('b', path, of({ embedded: { metadata: { nope: '1' } } })),
  ],
  'lists in maps, maps in lists': (s, path, of) => [
    s.apply('a', path, of({ listOfMaps: [{ a: '1' }], mapOfLists: { x: ['1'] } })),
    s.apply('b', path, of({ mapOfLists: { x: ['2'], y: [] } })),
    s.apply('a', path, of({ mapOfLists: { y: ['3'] } })),
  ],
  'updates of lists': (s, path, of) => [
    s.apply('a', path, of({ set: ['x'], lm: [{ k: 'x', v: '1' }], arr: ['1'] })),
    s.merge('up', path, {
      spec: {
        set: ['x', 'y'],
        lm: [
          { k: 'x', v: '2' },
          { k: 'y', w: 1 },
        ],
        arr: ['2'],
      },
    }),
    s.apply('a', path, of({ set: ['x'], lm: [{ k: 'x', v: '1' }] })),
    s.merge('up', path, { spec: { set: null, lm: null } }),
  ],
  'the main endpoint does not own the status': (s, path, of) => [
    s.apply('a', path, of({ size: 1 }, { status: { ready: true } })),
    s.merge('up', path, { spec: { size: 2 }, status: { ready: true } }),
    s.apply('a', path, of({ size: 2 }, { status: { ready: false } })),
  ],
  'the status endpoint': (s, path, of) => [
    s.apply('a', `${path}/status`, of({}, { status: { ready: true } })),
    s.apply('a', path, of({ size: 1 })),
    s.apply(
      'a',
      `${path}/status`,
      of({ size: 5 }, { status: { ready: true }, metadata: { labels: { l: '1' } } }),
    ),
    s.merge('up', `${path}/status`, { status: { ready: false }, metadata: { labels: { x: '1' } } }),
    s.apply('b', `${path}/status`, of(undefined, { status: { ready: true } })),
    s.apply('b', `${path}/status`, of(undefined, { status: { ready: true } }), 'force=true'),
    s.apply('b', `${path}/status`, of(undefined, {})),
    s.apply('b', `${path}/status`, of(undefined, { status: { nope: true } })),
    s.merge('up', `${path}/status`, { metadata: { managedFields: [{}] }, status: { ready: false } }),
  ],
  'a configuration of several endpoints': (s, path, of) => [
    s.apply('a', path, of({ size: 1 })),
    s.apply('a', `${path}/status`, of(undefined, { status: { ready: true } })),
    s.apply('a', path, of({ size: 2 })),
    s.apply('b', path, of({ size: 3 })),
  ],
  'updates that send everything': (s, path, of) => [
    s.create(
      'up',
      path.replace(/\/[^/]*$/, ''),
      of({ size: 1, set: ['x'], lm: [{ k: 'a', v: '1' }], map: { m: '1' }, nested: { b: { c: '1' } } }),
    ),
    s.merge('two', path, { spec: { lm: [{ k: 'a', v: '2' }, { k: 'b' }], nested: { b: { d: '1' } } } }),
    s.jsonPatch('three', path, [{ op: 'remove', path: '/spec/lm/0' }]),
    s.merge('two', path, { spec: { nested: null } }),
    s.apply('a', path, of({ size: 1, lm: [{ k: 'b', v: '3' }] })),
  ],
  'kinds and versions in the configuration': (s, path) => [
    s.apply('a', path, { apiVersion: 'conformance.example.com/v2', kind: 'Applied' }),
    s.apply('a', path, { apiVersion: 'conformance.example.com/v1', kind: 'Other' }),
    s.apply('a', path, { apiVersion: 'conformance.example.com/v1' }),
  ],
  'two versions': (s, path, of) => [
    s.apply('a', path, of({ size: 1, name: 'x' })),
    s.apply('a', path.replace('/v1/', '/v2/'), of({ size: 1 }, { apiVersion: 'conformance.example.com/v2' })),
    s.apply(
      'b',
      path.replace('/v1/', '/v2/'),
      of({ size: 2, name: 'y' }, { apiVersion: 'conformance.example.com/v2' }),
    ),
    s.merge('up', path, { spec: { name: 'z' } }),
    s.merge('up', path.replace('/v1/', '/v2/'), { spec: { name: 'w' } }),
    s.apply('a', path, of({ size: 3 })),
    s.apply('a', path, of({}), 'force=true'),
    s.get(path),
  ],
  'dry runs and strict reading': (s, path, of) => [
    s.apply('a', path, of({ size: 1 }), 'dryRun=All&fieldValidation=Strict'),
    s.get(path),
    s.apply('a', path, of({ size: 1, free: { x: 1 } }), 'fieldValidation=Strict'),
  ],
};

onEachServer('applying custom resources', (server) => {
  beforeAll(async () => {
    const crd = crdOf('Applied', properties);
    crd.spec.names.plural = 'applieds';
    crd.spec.versions.push(versionOf('v2', false, properties));
    await installCrd(server.session, crd);
  });

  test.each(Object.keys(stories))('%s', async (title) => {
    const name = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    const of = (spec: unknown, rest: object = {}) => ({
      ...objectOf('Applied', name, spec),
      ...(spec === undefined && { spec: undefined }),
      ...rest,
    });
    const steps =
      stories[title]?.(new ApplySession(server.session), `${pathOf('Applied')}/${name}`, of) ?? [];
    const outcomes = [];
    for (const step of steps) outcomes.push(outcome(await step()));
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/apply-custom-resources/${name}.yaml`);
  });
});
