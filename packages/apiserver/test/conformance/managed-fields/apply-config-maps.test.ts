import { expect, test } from 'vitest';
import { ApplySession, type Step, outcome } from '../../support/apply-session.ts';
import { configMaps } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const uri = 'example.com/held';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** A ConfigMap to apply. */
function config(data: unknown, metadata: object = {}, rest: object = {}): any {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...(data !== undefined && { data }), ...rest };
}

/** A ConfigMap to apply, as YAML. */
function yaml(name: string, data: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${data}`;
}

type Story = (s: ApplySession, path: string, name: string) => Step[];

/** Writes of several managers to one ConfigMap, in order. */
const stories: Record<string, Story> = {
  'applying makes the object': (s, path) => [
    s.apply('a', path, config({ x: '1' })),
    s.apply('a', path, config({ x: '1' })),
    s.get(path),
  ],
  'a second manager adds fields': (s, path) => [
    s.apply('a', path, config({ x: '1' })),
    s.apply('b', path, config({ y: '2' })),
    s.apply('a', path, config({})),
    s.apply('b', path, config(undefined)),
  ],
  'one conflict': (s, path) => [
    s.apply('a', path, config({ x: '1' })),
    s.apply('b', path, config({ x: '2' })),
    s.apply('b', path, config({ x: '2' }), 'force=true'),
    s.apply('a', path, config({ x: '3' })),
  ],
  'several conflicts with one manager': (s, path) => [
    s.apply('a', path, config({ x: '1', y: '1', z: '1' })),
    s.apply('b', path, config({ z: '2', x: '2', y: '2' })),
  ],
  'an Update manager conflicts by version': (s, path) => [
    s.create('up', configMaps, config({ x: '1', y: '1' }, { name: path.split('/').at(-1) })),
    s.apply('a', path, config({ x: '2' })),
    s.apply('a', path, config({ x: '2', y: '2' })),
    s.apply('a', path, config({ x: '2', y: '2' }), 'force=true'),
  ],
  'the same value is owned together': (s, path) => [
    s.apply('a', path, config({ x: '1' })),
    s.apply('b', path, config({ x: '1' })),
    s.apply('a', path, config({ x: '2' })),
    s.apply('a', path, config({})),
    s.apply('b', path, config({})),
  ],
  'an update takes what it changes': (s, path) => [
    s.apply('a', path, config({ x: '1', y: '1' }, { labels: { l: '1' } })),
    s.merge('up', path, { data: { x: '2' }, metadata: { labels: { m: '2' } } }),
    s.merge('up', path, { data: { y: null } }),
    s.apply('a', path, config({ y: '3' })),
  ],
  'an update that changes nothing takes nothing': (s, path) => [
    s.apply('a', path, config({ x: '1' })),
    s.merge('up', path, { data: { x: '1' } }),
    s.merge('up', path, {}),
  ],
  'a client without a manager is known by its name': (s, path, name) => [
    s.create('', configMaps, config({ x: '1' }, { name })),
    s.jsonPatch('', path, [{ op: 'add', path: '/data/y', value: '2' }]),
  ],
  'a replacement': (s, path, name) => [
    s.create('one', configMaps, config({ x: '1', y: '1' }, { name, annotations: { a: '1' } })),
    s.put('two', path, config({ x: '2', z: '1' }, { name })),
    s.put('one', path, config(undefined, { name })),
  ],
  'labels, annotations, finalizers and owners': (s, path) => [
    s.apply('a', path, config(undefined, { labels: { l: '1' }, annotations: { n: '1' }, finalizers: [uri] })),
    s.apply(
      'b',
      path,
      config(undefined, {
        finalizers: ['example.com/b'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u-1' }],
      }),
    ),
    s.apply('a', path, config(undefined, { labels: { l: '2' } })),
    s.apply('b', path, config(undefined)),
  ],
  'a finalizer that is applied twice': (s, path) => [
    s.apply('a', path, config(undefined, { finalizers: [uri, uri] })),
  ],
  'a body in YAML': (s, path, name) => [
    s.apply('a', path, yaml(name, '  x: "1"\n  y: |\n    two\n    lines\n')),
    s.apply('a', path, yaml(name, '  x: yes\n')),
    s.apply('a', path, yaml(name, '  x: 2001-01-01\n  y: "2"\n')),
  ],
  'keys that are there twice': (s, path, name) => [
    s.apply('a', path, yaml(name, '  x: "1"\n  x: "2"\n')),
    s.apply('a', path, yaml(name, '  x: "1"\n  x: "2"\n'), 'fieldValidation=Strict'),
    s.apply('a', path, yaml(name, '  x: "1"\n  x: "3"\n'), 'fieldValidation=Ignore'),
  ],
  'bodies that are no configuration': (s, path) => [
    s.apply('a', path, '{}'),
    s.apply('a', path, '{"apiVersion":"v1","kind":"ConfigMap"}'),
    s.apply('a', path, ''),
    s.apply('a', path, 'null'),
    s.apply('a', path, '[]'),
    s.apply('a', path, 'text'),
    s.apply('a', path, { kind: 'ConfigMap' }),
    s.apply('a', path, { apiVersion: 'v1' }),
    s.apply('a', path, { apiVersion: 'v1', kind: 'Secret' }),
    s.apply('a', path, { apiVersion: 'apps/v1', kind: 'ConfigMap' }),
    s.apply('a', path, { apiVersion: 'a/b/c', kind: 'ConfigMap' }),
    s.apply('a', path, { apiVersion: 1, kind: 2 }),
  ],
  'fields that do not fit': (s, path, name) => [
    s.apply('a', path, config({ x: 1 }, { name })),
    s.apply('a', path, config({ x: { y: 1 } }, { name, namespace: 'default' })),
    s.apply('a', path, config(['x'])),
    s.apply('a', path, config('x')),
    s.apply('a', path, config(undefined, {}, { nope: 1 })),
    s.apply('a', path, config(undefined, { nope: 1 })),
    s.apply('a', path, config(undefined, {}, { immutable: 'yes' })),
    s.apply('a', path, config(undefined, { ownerReferences: [{ name: 'x' }] })),
    s.apply('a', path, config(undefined, { ownerReferences: [null] })),
    s.apply('a', path, config(undefined, { finalizers: [{}] })),
    s.apply('a', path, config(undefined, { generation: 'x' })),
    s.apply('a', path, config(undefined, 'x' as any)),
  ],
  'null is nothing': (s, path) => [
    s.apply('a', path, config({ x: '1' }, { labels: { l: '1' } })),
    s.apply('b', path, config(null, { labels: null, annotations: { a: null } })),
    s.apply('a', path, config(null)),
  ],
  'empty maps': (s, path) => [
    s.apply('a', path, config({}, { labels: {}, annotations: {} })),
    s.merge('up', path, { data: { x: '1' } }),
    s.apply('a', path, config({ y: '1' })),
    s.apply('a', path, config({})),
  ],
  'options that do not fit': (s, path) => [
    s.apply('', path, config({ x: '1' })),
    s.apply('', path, config({ x: '1' }), 'force=true&dryRun=x'),
    s.apply('x'.repeat(128), path, config({ x: '1' })),
    s.merge('a', path, { data: { x: '2' } }, 'force=true'),
    s.merge('a', path, { data: { x: '2' } }, 'force=false'),
  ],
  'names, namespaces and versions': (s, path, name) => [
    s.apply('a', path, config({}, { name: 'other' })),
    s.apply('a', path, config({}, { namespace: 'other' })),
    s.apply('a', path, config({}, { uid: 'u-1' })),
    s.apply('a', path, config({ x: '1' }, { name, namespace: 'default' })),
    s.apply('a', path, config({ x: '2' }, { name: 'other' })),
    s.apply('a', path, config({ x: '2' }, { uid: 'u-1' })),
    s.apply('a', path, config({ x: '2' }, { resourceVersion: '1' })),
    s.apply('a', path, config({ x: '1' }, { resourceVersion: '1' })),
  ],
  'managers in the configuration': (s, path) => [
    s.apply('a', path, config({ x: '1' }, { managedFields: [] })),
    s.apply('a', path, config({ x: '1' }, { managedFields: [{}] })),
    s.apply('a', path, config({ x: '1' }, { managedFields: null })),
  ],
  'a dry run': (s, path) => [
    s.apply('a', path, config({ x: '1' }), 'dryRun=All'),
    s.get(path),
    s.apply('a', path, config({ x: '1' })),
    s.apply('b', path, config({ y: '1' }), 'dryRun=All'),
    s.get(path),
  ],
  'generateName is owned': (s) => [
    s.create('up', configMaps, config({ x: '1' }, { name: 'generated', generateName: 'gen' })),
    s.apply('a', `${configMaps}/generated`, config(undefined, { generateName: 'gen' })),
    s.apply('a', `${configMaps}/generated`, config(undefined)),
  ],
  'an object whose managers were cleared': (s, path, name) => [
    s.create('up', configMaps, config({ x: '1' }, { name })),
    s.merge('up', path, { metadata: { managedFields: [{}] } }),
    s.merge('up', path, { data: { y: '1' } }),
    s.apply('a', path, config({ y: '2' })),
    s.apply('a', path, config({ z: '2' })),
  ],
  'managers that are sent': (s, path, name) => [
    s.create('up', configMaps, config({ x: '1' }, { name })),
    s.merge('up', path, { metadata: { managedFields: [] } }),
    s.put('up', path, config({ x: '1' }, { name, managedFields: [] })),
    s.put(
      'up',
      path,
      config(
        { x: '1' },
        {
          name,
          managedFields: [
            {
              manager: 'forged',
              operation: 'Apply',
              apiVersion: 'v1',
              time: '2020-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { 'f:x': {}, '.': {} }, 'z:y': {} },
            },
          ],
        },
      ),
    ),
    s.put('up', path, config({ x: '2' }, { name, managedFields: [{ manager: 'bad' }] })),
    s.put(
      'up',
      path,
      config(
        { x: '2' },
        {
          name,
          managedFields: [
            {
              manager: 'b',
              operation: 'Update',
              apiVersion: 'v9',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': {} },
            },
          ],
        },
      ),
    ),
    s.put(
      'up',
      path,
      config(
        { x: '2' },
        {
          name,
          managedFields: [
            {
              manager: 'b',
              operation: 'Update',
              apiVersion: 'v1',
              fieldsType: 'FieldsV1',
              fieldsV1: { f: {} },
            },
          ],
        },
      ),
    ),
  ],
  'managers on creation': (s, _path, name) => [
    s.create(
      'up',
      configMaps,
      config(
        { x: '1' },
        {
          name,
          managedFields: [
            {
              manager: 'b',
              operation: 'Update',
              apiVersion: 'v1',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { 'f:x': {} } },
            },
          ],
        },
      ),
    ),
    s.create('up', configMaps, config({ x: '1' }, { name: `${name}-2`, managedFields: [{}] })),
  ],
  'more than ten updates': (s, path, name) => [
    s.create('m00', configMaps, config({ x: '1' }, { name })),
    ...Array.from({ length: 12 }, (_, index) =>
      s.merge(`m${String(index + 1).padStart(2, '0')}`, path, { data: { [`k${index}`]: '1' } }),
    ),
  ],
  'kubectl takes over what it applied before': (s, path, name) => [
    s.create(
      'kubectl-client-side-apply',
      configMaps,
      config(
        { x: '1', y: '1' },
        {
          name,
          annotations: {
            [lastApplied]: JSON.stringify(config({ x: '1', y: '1' }, { annotations: {}, name })),
          },
        },
      ),
    ),
    s.apply('kubectl', path, config({ x: '2', y: '1' }, { name })),
    s.merge('other', path, { data: { x: '5' } }),
    s.apply('kubectl', path, config({ x: '6', y: '2' }, { name, annotations: { n: '<&>' } })),
    s.apply('kubectl', path, config({ x: '6', y: '2' }, { name }), 'force=true'),
  ],
  'odd keys': (s, path, name) => [
    s.apply(
      'a',
      path,
      config({ 'a.b': '1', _: '2', A: '3', 'Z-z': '4' }, { annotations: { 'x.y/z': '"<>&\u2028' } }),
    ),
    s.apply(
      'b',
      path,
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"__proto__":"x","constructor":"y"}}`,
    ),
    s.apply('a', path, config({ A: '3' })),
  ],
  'binary data and immutability': (s, path) => [
    s.apply('a', path, config(undefined, {}, { binaryData: { b: 'AQI=' }, immutable: false })),
    s.apply('b', path, config(undefined, {}, { immutable: true })),
    s.apply('b', path, config(undefined, {}, { immutable: true }), 'force=true'),
  ],
};

onEachServer('applying ConfigMaps', (server) => {
  test.each(Object.keys(stories))('%s', async (title) => {
    const name = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    const steps = stories[title]?.(new ApplySession(server.session), `${configMaps}/${name}`, name) ?? [];
    const outcomes = [];
    for (const step of steps) outcomes.push(outcome(await step()));
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/apply-config-maps/${name}.yaml`);
  });
});
