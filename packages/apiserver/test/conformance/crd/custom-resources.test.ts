import type { JSONSchemaProps } from 'ots-kubernetes/apiextensions/v1';
import { beforeAll, expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, objectOf, pathOf, until, versionOf } from '../../support/fixtures.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const widget: Record<string, JSONSchemaProps> = {
  all: { type: 'string', allOf: [{ pattern: 'a' }, { minLength: 3 }] },
  any: {
    type: 'object',
    properties: { q: { type: 'string' } },
    anyOf: [{ required: ['q'] }, { required: ['w'] }],
  },
  array: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer' } },
  bool: { type: 'boolean' },
  byte: { type: 'string', format: 'byte' },
  choice: { type: 'string', enum: ['A', 'B'] },
  date: { type: 'string', format: 'date' },
  dateTime: { type: 'string', format: 'date-time' },
  defaulted: { type: 'integer', default: 7 },
  duration: { type: 'string', format: 'duration' },
  email: { type: 'string', format: 'email' },
  embedded: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
  exclusive: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  integer: { type: 'integer' },
  intOrString: { 'x-kubernetes-int-or-string': true },
  ip: { type: 'string', format: 'ipv4' },
  keyed: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'string' } } },
  },
  map: {
    type: 'object',
    minProperties: 1,
    maxProperties: 2,
    additionalProperties: { type: 'string', maxLength: 2 },
  },
  nested: { type: 'object', default: {}, properties: { x: { type: 'string', default: 'y' } } },
  never: { type: 'string', not: { enum: ['x'] } },
  nullable: { type: 'string', nullable: true },
  number: { type: 'number', minimum: 1.5, maximum: 10, multipleOf: 0.5 },
  one: {
    type: 'object',
    properties: { q: { type: 'string' }, w: { type: 'string' } },
    oneOf: [{ required: ['q'] }, { required: ['w'] }],
  },
  open: {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { known: { type: 'object', properties: { z: { type: 'string' } } } },
  },
  pattern: { type: 'string', pattern: '^[a-z]+$' },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
  string: { type: 'string', minLength: 2, maxLength: 5 },
  uri: { type: 'string', format: 'uri' },
  uuid: { type: 'string', format: 'uuid' },
};

const invalidSpecs: Record<string, unknown> = {
  'wrong types': { string: 5, integer: 'x', bool: 'q', array: {}, map: [], intOrString: true },
  'numbers out of range': { integer: 1.5, int32: 3_000_000_000, int64: 1e30, number: 1.2, exclusive: 1 },
  'more numbers': { number: 20, exclusive: 9 },
  strings: { string: 'a', pattern: 'A', choice: 'C' },
  'too long and too few': { string: 'abcdefg', array: [], map: {} },
  'too many': { array: [1, 2, 'x'], map: { a: 'abc', b: '', c: '' } },
  formats: { dateTime: 'x', date: 'x', duration: 'x', byte: '!', email: 'x', uuid: 'x', uri: '::', ip: 'x' },
  'lists with keys': { keyed: [{ k: 'a' }, { k: 'a' }, { v: 'z' }], set: ['a', 'a'] },
  combinations: { one: {}, any: {}, never: 'x', all: 'b', embedded: {} },
  'too many alternatives': { one: { q: '', w: '' } },
  'no object': 5,
};

onEachServer('custom resources', (server) => {
  const widgets = pathOf('Widget');
  beforeAll(async () => {
    await installCrd(server.session, crdOf('Widget', widget));
  });

  test('a violation of the schema is refused with a cause for each error', async () => {
    const refusals: Record<string, unknown> = {};
    for (const [name, spec] of Object.entries(invalidSpecs)) {
      refusals[name] = refusal(await server.session.post(widgets, objectOf('Widget', 'invalid', spec)));
    }
    await expect(asRecorded(refusals)).toMatchFileSnapshot('../recorded/schema-violations.yaml');
  });

  test('valid objects are accepted', async () => {
    const spec = {
      byte: 'YWI=',
      date: '2026-01-31',
      dateTime: '2026-01-31T12:00:00.5+01:00',
      duration: '1h30m',
      email: 'a@b.c',
      uuid: '2f1d8f0e-5b1c-4c3b-9a53-0d0a6e5a2c11',
      uri: 'https://example.com/a?b',
      ip: '10.0.0.1',
      int32: -2_147_483_648,
      intOrString: '25%',
      number: 1.5,
      exclusive: 2,
      choice: 'A',
      keyed: [{ k: 'a' }, { k: 'b' }],
      set: ['a', 'b'],
      one: { w: '' },
      all: 'abc',
      string: 'äöüß€',
    };
    const { code, body } = await server.session.post(widgets, objectOf('Widget', 'valid', spec));
    expect(code).toBe(201);
    expect(body.spec).toStrictEqual({ ...spec, defaulted: 7, nested: { x: 'y' } });
  });

  test('unknown fields are pruned with a warning, defaults are filled in, and null is dropped', async () => {
    const spec = {
      unknown: 1,
      defaulted: null,
      string: null,
      nullable: null,
      nested: { unknown: 1 },
      open: { anything: 1, known: { unknown: 1 } },
      embedded: { apiVersion: 'v1', kind: 'X', metadata: { name: 'q', unknown: 1 }, anything: 1 },
    };
    const { code, body, warnings } = await server.session.post(widgets, objectOf('Widget', 'pruned', spec));
    expect(code).toBe(201);
    expect(normalize(body)).toStrictEqual({
      apiVersion: 'conformance.example.com/v1',
      kind: 'Widget',
      metadata: { name: 'pruned', namespace: 'default', generation: 1 },
      spec: {
        defaulted: 7,
        nested: { x: 'y' },
        nullable: null,
        open: { anything: 1, known: {} },
        embedded: { apiVersion: 'v1', kind: 'X', metadata: { name: 'q' }, anything: 1 },
      },
    });
    expect(warnings.toSorted()).toStrictEqual([
      'unknown field "spec.embedded.metadata.unknown"',
      'unknown field "spec.nested.unknown"',
      'unknown field "spec.open.known.unknown"',
      'unknown field "spec.unknown"',
    ]);
  });

  test('strict field validation refuses unknown and repeated fields', async () => {
    const raw =
      '{"apiVersion":"conformance.example.com/v1","kind":"Widget","metadata":{"name":"strict","foo":1},"zz":1,"spec":{"string":"ab","string":"ab","unk":1,"keyed":[{"k":"","u":1}]}}';
    const refused = {
      create: refusal(await server.session.send('POST', `${widgets}?fieldValidation=Strict`, { raw })),
      patch: (
        await server.session.merge(`${widgets}/valid?fieldValidation=Strict`, { spec: { unk: 1 } })
      ).body.message.replace(/".*"/s, '…'),
    };
    await expect(asRecorded(refused)).toMatchFileSnapshot('../recorded/strict-fields.yaml');
  });

  test('type information is checked', async () => {
    const good = objectOf('Widget', 'typed', {});
    const bodies = {
      'no kind': { ...good, kind: undefined },
      'no version': { ...good, apiVersion: undefined },
      'another kind': { ...good, kind: 'Foo' },
      'another version': { ...good, apiVersion: 'v1' },
      'metadata of a wrong type': { ...good, metadata: 'typed' },
      'metadata of an embedded object of a wrong type': objectOf('Widget', 'typed', {
        embedded: { apiVersion: 'v1', kind: 'A', metadata: 5 },
      }),
      'a label of a wrong type': { ...good, metadata: { name: 'typed', labels: { a: 5 } } },
    };
    const refusals: Record<string, unknown> = {};
    for (const [name, body] of Object.entries(bodies))
      refusals[name] = refusal(await server.session.post(widgets, body));
    refusals['patch of kind'] = refusal(await server.session.merge(`${widgets}/valid`, { kind: 'Foo' }));
    refusals['patch of version'] = refusal(
      await server.session.merge(`${widgets}/valid`, { apiVersion: 'v1' }),
    );
    refusals['patch of metadata'] = refusal(
      await server.session.merge(`${widgets}/valid`, { metadata: null }),
    );
    await expect(asRecorded(refusals)).toMatchFileSnapshot('../recorded/type-information.yaml');
  });

  test('an update needs a resource version', async () => {
    expect(
      refusal(await server.session.put(`${widgets}/valid`, objectOf('Widget', 'valid', {}))),
    ).toStrictEqual({
      code: 422,
      reason: 'Invalid',
      message:
        'widgets.conformance.example.com "valid" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      causes: [
        'FieldValueInvalid metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      ],
    });
  });

  test('spec and status have their own endpoints, and the generation counts changes of the spec', async () => {
    const path = `${widgets}/split`;
    const sent = { ...objectOf('Widget', 'split', { string: 'ab' }), status: { ready: 'ignored' } };
    const created = (await server.session.post(widgets, sent)).body;
    expect(created.status).toBeUndefined();
    expect(created.metadata.generation).toBe(1);
    const status = await server.session.merge(`${path}/status`, {
      metadata: { labels: { a: 'b' } },
      spec: { string: 'xy' },
      status: { ready: true, unknown: 1 },
    });
    expect(status.warnings).toStrictEqual(['unknown field "status.unknown"']);
    expect(normalize(status.body)).toStrictEqual({ ...normalize(created), status: { ready: true } });
    const changed = (await server.session.merge(path, { spec: { string: 'cd' }, status: { ready: false } }))
      .body;
    expect(changed).toMatchObject({
      metadata: { generation: 2 },
      spec: { string: 'cd' },
      status: { ready: true },
    });
    const labeled = (await server.session.merge(path, { metadata: { labels: { a: 'b' }, generation: 99 } }))
      .body;
    expect(labeled.metadata).toMatchObject({ generation: 2, labels: { a: 'b' } });
    const put = await server.session.put(`${path}/status`, {
      ...labeled,
      spec: { string: 'zz' },
      status: { ready: false },
    });
    expect(put.body).toMatchObject({
      spec: { string: 'cd' },
      status: { ready: false },
      metadata: { generation: 2 },
    });
    expect((await server.session.get(`${path}/status`)).body).toStrictEqual(
      (await server.session.get(path)).body,
    );
    expect((await server.session.delete(path)).body).toMatchObject({
      status: 'Success',
      details: { name: 'split', kind: 'widgets' },
    });
  });

  test('a patch names the UID of its object, but the status ignores it, and a replacement of the status does not', async () => {
    const path = `${widgets}/known`;
    const created = (await server.session.post(widgets, objectOf('Widget', 'known', { string: 'ab' }))).body;
    const metadata = { uid: 'x' };
    const patched = await server.session.merge(path, { metadata, spec: { string: 'cd' } });
    expect(patched.body).toMatchObject({ code: 422, message: expect.stringContaining('metadata.uid') });
    const status = await server.session.merge(`${path}/status`, { metadata, status: { ready: true } });
    expect(status.body).toMatchObject({ metadata: { uid: created.metadata.uid }, status: { ready: true } });
    const put = await server.session.put(`${path}/status`, {
      ...status.body,
      metadata: { ...status.body.metadata, uid: 'x' },
    });
    expect(put.body).toMatchObject({ code: 409, reason: 'Conflict' });
    await server.session.delete(path);
  });

  test('a deletion that waits for finalizers increases the generation', async () => {
    const held = objectOf('Widget', 'held', {});
    held.metadata.finalizers = ['example.com/hold'];
    await server.session.post(widgets, held);
    const { body } = await server.session.delete(`${widgets}/held`);
    expect(body.metadata).toMatchObject({
      generation: 2,
      finalizers: ['example.com/hold'],
      deletionGracePeriodSeconds: 0,
    });
    await server.session.merge(`${widgets}/held`, { metadata: { finalizers: [] } });
    expect((await server.session.get(`${widgets}/held`)).code).toBe(404);
  });

  test('a list has types and an empty continue token', async () => {
    const { body } = await server.session.get(`${widgets}?fieldSelector=metadata.name%3Dvalid`);
    expect(body).toMatchObject({
      kind: 'WidgetList',
      apiVersion: 'conformance.example.com/v1',
      metadata: { continue: '' },
    });
    expect(body.items).toMatchObject([{ kind: 'Widget', apiVersion: 'conformance.example.com/v1' }]);
    expect((await server.session.get(`${widgets}?fieldSelector=spec.string%3Da`)).body.message).toBe(
      'field label not supported: spec.string',
    );
  });

  test('unknown paths and unsupported methods are refused', async () => {
    const group = '/apis/conformance.example.com';
    for (const path of [`${group}/v2/widgets`, `${group}/v1/foos`, `${group}/v1/widgets/valid`]) {
      expect(await server.session.get(path)).toMatchObject({ code: 404, body: '404 page not found\n' });
    }
    expect((await server.session.post(`${group}/v1/widgets`, {})).body).toBe('404 page not found\n');
    expect((await server.session.get(`${widgets}/valid/foo`)).body.message).toBe(
      'widgets.conformance.example.com "valid" not found',
    );
    expect((await server.session.put(widgets, {})).body).toMatchObject({
      code: 400,
      message: 'name must be provided',
    });
    expect((await server.session.post(`${widgets}/valid/status`, {})).body).toMatchObject({
      code: 405,
      message: 'create is not supported on resources of kind "widgets.conformance.example.com"',
    });
  });

  test('discovery shows the resource', async () => {
    expect(
      (await server.session.get('/apis/conformance.example.com/v1')).body.resources.slice(0, 2),
    ).toStrictEqual([
      {
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        storageVersionHash: expect.stringMatching(/=$/),
      },
      {
        name: 'widgets/status',
        singularName: '',
        namespaced: true,
        kind: 'Widget',
        verbs: ['get', 'patch', 'update'],
      },
    ]);
  });

  test('versions without conversion differ in apiVersion and in their fields', async () => {
    const crd = crdOf('Gadget', {});
    crd.spec.versions = [
      versionOf('v1alpha1', false, { both: { type: 'string' }, old: { type: 'string' } }),
      versionOf('v1', true, { both: { type: 'string' }, fresh: { type: 'integer', default: 1 } }),
    ];
    await installCrd(server.session, crd);
    const old = await server.session.post(
      pathOf('Gadget', 'v1alpha1'),
      objectOf('Gadget', 'g', { both: 'b', old: 'o' }, 'v1alpha1'),
    );
    expect(old.code).toBe(201);
    expect(old.body).toMatchObject({ apiVersion: 'conformance.example.com/v1alpha1', spec: { both: 'b' } });
    expect(old.body.spec.old).toBeUndefined();
    const fresh = (await server.session.get(`${pathOf('Gadget')}/g`)).body;
    expect(fresh).toMatchObject({ apiVersion: 'conformance.example.com/v1', spec: { both: 'b', fresh: 1 } });
    const { versions, preferredVersion } = (await server.session.get('/apis/conformance.example.com')).body;
    expect(versions.map(({ version }: any) => version)).toStrictEqual(['v1', 'v1alpha1']);
    expect(preferredVersion.version).toBe('v1');
  });

  test('a new schema applies to stored objects', async () => {
    const crd = crdOf('Gizmo', { old: { type: 'string' } });
    await installCrd(server.session, crd);
    await server.session.post(pathOf('Gizmo'), objectOf('Gizmo', 'g', { old: 'o' }));
    const schema = versionOf('v1', true, { fresh: { type: 'integer', default: 1 } });
    await server.session.merge(`${crdsPath}/${crd.metadata.name}`, { spec: { versions: [schema] } });
    await until(async () => (await server.session.get(`${pathOf('Gizmo')}/g`)).body.spec?.fresh === 1);
    expect((await server.session.get(`${pathOf('Gizmo')}/g`)).body.spec).toStrictEqual({ fresh: 1 });
  });
});
