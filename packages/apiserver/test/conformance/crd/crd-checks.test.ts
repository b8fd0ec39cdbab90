import { expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, objectOf, pathOf, versionOf } from '../../support/fixtures.ts';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';
import { withSortedKeys } from '../../support/with-sorted-keys.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const map = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };

/** Unusual properties of `spec`. */
const schemas: Record<string, any> = {
  'an unknown map type': { a: object({}, { 'x-kubernetes-map-type': 'foo' }) },
  'a map type of a list': { a: list(string, { 'x-kubernetes-map-type': 'atomic' }) },
  'a map type without a type': { a: { 'x-kubernetes-map-type': 'atomic' } },
  'a list type without a type': { a: { 'x-kubernetes-list-type': 'set' } },
  'a set of objects': { a: list(object({ b: string }), { 'x-kubernetes-list-type': 'set' }) },
  'a set of atomic objects': {
    a: list(object({ b: string }, { 'x-kubernetes-map-type': 'atomic' }), {
      'x-kubernetes-list-type': 'set',
    }),
  },
  'a set of sets': {
    a: list(list(string, { 'x-kubernetes-list-type': 'set' }), { 'x-kubernetes-list-type': 'set' }),
  },
  'a set of what may be null': {
    a: list({ type: 'string', nullable: true }, { 'x-kubernetes-list-type': 'set' }),
  },
  'keys without a list type': { a: list(object({ k: string }), { 'x-kubernetes-list-map-keys': ['k'] }) },
  'keys of a set': {
    a: list(string, { 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['k'] }),
  },
  'keys of strings': { a: list(string, map) },
  'keys without items': { a: { type: 'array', ...map } },
  'a key that is a list': { a: list(object({ k: list(string) }, { required: ['k'] }), map) },
  'a key that may be null': {
    a: list(object({ k: { type: 'string', nullable: true } }, { required: ['k'] }), map),
  },
  'a key twice': {
    a: list(object({ k: string }, { required: ['k'] }), { ...map, 'x-kubernetes-list-map-keys': ['k', 'k'] }),
  },
  'a key with a default': { a: list(object({ k: { type: 'string', default: 'x' } }), map) },
  'an open integer or string': {
    a: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
  'an embedded integer or string': {
    a: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-embedded-resource': true },
  },
  'an integer or string with a type': { a: { type: 'string', 'x-kubernetes-int-or-string': true } },
  'an integer or string as anyOf': {
    a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  },
  'an integer or string as anyOf the other way around': {
    a: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
  },
  'an integer or string within allOf': {
    a: {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '^a' }],
    },
  },
  'no preserved fields': { a: object({}, { 'x-kubernetes-preserve-unknown-fields': false }) },
  'an embedded object without a type': {
    a: { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
  'an embedded list': { a: list(string, { 'x-kubernetes-embedded-resource': true }) },
  'an embedded map': {
    a: { type: 'object', 'x-kubernetes-embedded-resource': true, additionalProperties: string },
  },
  'an embedded object with a number for a kind': {
    a: object({ kind: integer, metadata: string }, { 'x-kubernetes-embedded-resource': true }),
  },
  'an embedded object in metadata': {
    a: object(
      { metadata: object({ x: object({ y: string }, { 'x-kubernetes-embedded-resource': true }) }) },
      { 'x-kubernetes-embedded-resource': true },
    ),
  },
  'metadata in an alternative': { a: object({}, { anyOf: [{ properties: { metadata: {} } }] }) },
  'everything in an alternative': {
    a: object(
      {},
      {
        anyOf: [
          {
            title: 'x',
            description: 'x',
            nullable: true,
            default: 1,
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-int-or-string': true,
            'x-kubernetes-list-map-keys': ['k'],
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-map-type': 'atomic',
          },
        ],
      },
    ),
  },
  'anything additional': { a: { type: 'object', additionalProperties: true } },
  'nothing additional': { a: { type: 'object', additionalProperties: false } },
  'nothing additional beside properties': { a: object({ b: string }, { additionalProperties: false }) },
  'the type null': { a: { type: 'null' } },
  'an unsupported $schema': { a: { type: 'string', $schema: 'x' } },
  'an id': { a: { type: 'string', id: 'x' } },
  'a default of null': { a: { type: 'string', nullable: true, default: null } },
  'a default of null where null is not allowed': { a: { type: 'string', default: null } },
  'a default that lacks a field': {
    a: object({ b: { type: 'string', default: 'x' } }, { required: ['b'], default: {} }),
  },
  'a default that is too long': { a: { type: 'string', maxLength: 1, default: 'abc' } },
  'a default in a list': { a: list({ type: 'string', default: 5 }) },
  'a default in a map': { a: { type: 'object', additionalProperties: { type: 'string', default: 5 } } },
  'a default of a map': {
    a: { type: 'object', additionalProperties: string, default: { b: 1 } },
  },
  'a default of an embedded object': {
    a: object({ b: string }, { 'x-kubernetes-embedded-resource': true, default: { kind: 'A', x: 1 } }),
  },
  'an unknown format': { a: { type: 'string', format: 'foo' }, b: { type: 'integer', format: 'double' } },
  'a format of an object': { a: { type: 'object', format: 'date' } },
};

/** Edits of a valid definition. */
const edits: Record<string, (crd: any) => void> = {
  'limits at the root': (crd) => (rootOf(crd).minProperties = 1),
  'required fields at the root': (crd) => (rootOf(crd).required = ['spec']),
  'a root that may be null': (crd) => (rootOf(crd).nullable = true),
  'anything additional at the root': (crd) => {
    delete crd.spec.versions[0].subresources;
    delete rootOf(crd).properties;
    rootOf(crd).additionalProperties = string;
  },
  'a default of apiVersion': (crd) => (rootOf(crd).properties.apiVersion = { type: 'string', default: 'x' }),
  'a default in metadata': (crd) =>
    (rootOf(crd).properties.metadata = object({ name: { type: 'string', default: 'x' } })),
  'metadata of another type': (crd) => (rootOf(crd).properties.metadata = string),
  'names in metadata': (crd) =>
    (rootOf(crd).properties.metadata = object({
      name: { type: 'string', maxLength: 5 },
      generateName: string,
    })),
  'a description of metadata': (crd) =>
    (rootOf(crd).properties.metadata = { type: 'object', description: 'x' }),
  'a warning of a version that is not deprecated': (crd) => (crd.spec.versions[0].deprecationWarning = 'x'),
  'an empty warning': (crd) =>
    Object.assign(crd.spec.versions[0], { deprecated: true, deprecationWarning: '' }),
  'a warning of two lines': (crd) =>
    Object.assign(crd.spec.versions[0], { deprecated: true, deprecationWarning: 'ä\nb' }),
  'a warning that is too long': (crd) =>
    Object.assign(crd.spec.versions[0], { deprecated: true, deprecationWarning: 'x'.repeat(257) }),
  'columns without anything': (crd) =>
    (crd.spec.versions[0].additionalPrinterColumns = [{ name: '', type: '', jsonPath: '' }]),
  'a column of an unknown format': (crd) =>
    (crd.spec.versions[0].additionalPrinterColumns = [
      { name: 'a', type: 'string', format: 'foo', jsonPath: '.a' },
    ]),
  'columns of one of two versions': (crd) => {
    crd.spec.versions.push(versionOf('v2', false, { a: string }));
    crd.spec.versions[0].additionalPrinterColumns = [{ name: 'a', type: 'foo', jsonPath: 'a' }];
  },
  'a scale without paths': (crd) =>
    (crd.spec.versions[0].subresources.scale = { specReplicasPath: '', statusReplicasPath: '' }),
  'a scale of other fields': (crd) =>
    (crd.spec.versions[0].subresources.scale = {
      specReplicasPath: '.status.replicas',
      statusReplicasPath: 'x',
      labelSelectorPath: '.metadata.x',
    }),
  'selectable fields': (crd) =>
    (crd.spec.versions[0].selectableFields = [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.b' }]),
  'selectable fields that are none': (crd) =>
    (crd.spec.versions[0].selectableFields = [
      { jsonPath: '' },
      { jsonPath: 'spec.a' },
      { jsonPath: '.spec.c' },
      { jsonPath: ".spec['a']" },
      { jsonPath: '.spec.o' },
      { jsonPath: '.metadata.name' },
      { jsonPath: '.spec.a' },
      { jsonPath: '.spec.a' },
      { jsonPath: '.spec.' },
    ]),
  'too many selectable fields': (crd) =>
    (crd.spec.versions[0].selectableFields = Array.from({ length: 9 }, (_, index) => ({
      jsonPath: `.spec.f${index}`,
    }))),
  'selectable fields of one of two versions': (crd) => {
    crd.spec.versions.push(versionOf('v2', false, { a: string }));
    crd.spec.versions[1].selectableFields = [{ jsonPath: '.spec.x' }];
  },
  'selectable fields of versions with one schema': (crd) => {
    crd.spec.versions.push({ ...structuredClone(crd.spec.versions[0]), name: 'v2', storage: false });
    crd.spec.versions[1].selectableFields = [{ jsonPath: '.spec.a' }];
  },
  'two versions with one bad schema': (crd) => {
    rootOf(crd).properties.spec.properties.bad = {};
    crd.spec.versions.push({ ...structuredClone(crd.spec.versions[0]), name: 'v2', storage: false });
  },
  'two versions with a bad schema each': (crd) => {
    rootOf(crd).properties.spec.properties.bad = {};
    crd.spec.versions.push(versionOf('v2', false, { worse: {} }));
  },
  'an approval that is none': (crd) => protect(crd, 'soon'),
  'an approval': (crd) => protect(crd, 'https://github.com/kubernetes/kubernetes/pull/1'),
  'an approval that is passed by': (crd) => protect(crd, 'unapproved, for a test'),
};

function rootOf(crd: any): any {
  return crd.spec.versions[0].schema.openAPIV3Schema;
}

function protect(crd: any, approval: string): void {
  crd.spec.group = 'bad.k8s.io';
  crd.metadata.name = 'bads.bad.k8s.io';
  crd.metadata.annotations = { 'api-approved.kubernetes.io': approval };
}

const texts = [
  '',
  'x',
  '0',
  '5',
  '2026-02-28',
  '2026-02-30',
  '2026-01-31T12:00:00Z',
  '2026-01-31t12:00:00.5z',
  '2026-01-31T23:59:60Z',
  '1h30m',
  '1h30',
  '3 days',
  '-1.5s',
  'YWI=',
  'YWI',
  'a@b.c',
  'A <a@b.c>',
  'a.b-c',
  'example.com',
  '-a',
  'a_b',
  '10.0.0.1',
  '010.0.0.1',
  '10.0.0.256',
  '::1',
  '::ffff:10.0.0.1',
  'fe80::1%eth0',
  '10.0.0.0/8',
  '10.0.0.0/33',
  '::/0',
  '01:23:45:67:89:ab',
  '0123.4567.89ab',
  '01:23:45:67:89:ab:cd',
  'https://a.b/c',
  '/a',
  '::',
  'a b',
  'mailto:x',
  '#abc',
  '#abcd',
  'rgb(1,2,3)',
  'rgb(1,2,300)',
  '2f1d8f0e-5b1c-3c3b-9a53-0d0a6e5a2c11',
  '2f1d8f0e-5b1c-4c3b-9a53-0d0a6e5a2c11',
  '2F1D8F0E5B1C5C3B9A530D0A6E5A2C11',
  '0321751043',
  '978-0321751041',
  '9780321751042',
  '4111 1111 1111 1111',
  '4111111111111112',
  '123-45-6789',
  '123456789',
  '507f1f77bcf86cd799439011',
  'abc',
  'Abc',
  'a.b',
  'über.de',
  'x'.repeat(64),
  `${'x'.repeat(60)}.${'y'.repeat(60)}`,
];
const formats = [
  'bsonobjectid',
  'byte',
  'cidr',
  'creditcard',
  'date',
  'date-time',
  'datetime',
  'duration',
  'email',
  'hexcolor',
  'hostname',
  'ipv4',
  'ipv6',
  'isbn',
  'isbn10',
  'isbn13',
  'k8s-long-name',
  'k8s-short-name',
  'mac',
  'password',
  'rgbcolor',
  'ssn',
  'uri',
  'uuid',
  'uuid3',
  'uuid4',
  'uuid5',
  'foo',
];

/** Properties of `spec` in which the server fills in or drops values. */
const completed = {
  nullable: { type: 'string', nullable: true },
  plain: string,
  defaulted: { type: 'string', default: 'd' },
  nullableDefault: { type: 'string', nullable: true, default: 'd' },
  listed: list(string),
  listedDefault: list({ type: 'string', default: 'i' }),
  mapped: { type: 'object', additionalProperties: string },
  mappedDefault: { type: 'object', additionalProperties: { type: 'string', default: 'm' } },
  anything: { type: 'object', additionalProperties: true },
  open: object(
    { known: object({ a: string }), list: list(object({ a: string })) },
    { 'x-kubernetes-preserve-unknown-fields': true },
  ),
  free: { 'x-kubernetes-preserve-unknown-fields': true },
  either: { 'x-kubernetes-int-or-string': true },
  embedded: object({ spec: object({ a: string }) }, { 'x-kubernetes-embedded-resource': true }),
  embeddedList: list(
    object({}, { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
  ),
  choice: { type: 'string', nullable: true, enum: ['a', null] },
  number: { type: 'integer', enum: [1, 65] },
  letter: { enum: ['A'], 'x-kubernetes-preserve-unknown-fields': true },
  formatted: { type: 'string', format: 'date' },
  set: list(integer, { 'x-kubernetes-list-type': 'set' }),
  objects: list(object({ a: string, b: string }, { 'x-kubernetes-map-type': 'atomic' }), {
    'x-kubernetes-list-type': 'set',
  }),
  keyed: list(object({ k: string, p: { type: 'integer', default: 1 } }, { required: ['k'] }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k', 'p'],
  }),
  closed: { type: 'object', additionalProperties: false },
};
const specs: any[] = [
  { nullable: null, plain: null, defaulted: null, nullableDefault: null },
  { listed: [null] },
  { listedDefault: [null, 'x'] },
  { mapped: { a: null, b: 'x' }, mappedDefault: { a: null, b: 'x' } },
  { anything: { a: 1, b: { c: 1 }, d: [{ e: 1 }], f: null } },
  { open: { known: { a: 'x', b: 1 }, list: [{ a: 'x', b: 1 }], other: { c: null }, none: null } },
  { free: { a: { b: null } } },
  { free: null, either: null },
  { either: 1.5 },
  { either: true },
  { either: 2 ** 31 },
  {
    embedded: {
      apiVersion: 'v1',
      kind: 'A',
      metadata: { name: 'n', foo: 1, labels: {}, creationTimestamp: null },
      spec: { a: 'x', b: 1 },
      x: 1,
    },
  },
  { embedded: { apiVersion: 'a/b/c', kind: 'a_b', metadata: { name: 'a/b', labels: { 'a b': 'c' } } } },
  { embedded: { apiVersion: '', kind: '' } },
  { embedded: {} },
  { embedded: { apiVersion: 5, kind: 'A' } },
  { embedded: { apiVersion: 'v1', kind: 'A', metadata: { name: 5 } } },
  { embedded: { apiVersion: 'v1', kind: 'A', metadata: { labels: { a: 5 } } } },
  { embeddedList: [{ apiVersion: 'v1', kind: 'A', more: 1 }, { kind: 'B' }] },
  { choice: null },
  { number: 65 },
  { number: 1.4 },
  { letter: 65 },
  { formatted: ['x'] },
  { formatted: 5 },
  { set: [1, 2, 1, 1, 2] },
  {
    objects: [
      { a: 'x', b: 'y' },
      { b: 'y', a: 'x' },
    ],
  },
  { keyed: [{ k: 'a' }, { k: 'a', p: 1 }] },
  { keyed: [{ k: 'a' }, 5] },
  { closed: {} },
  { closed: { a: 1 } },
  { __proto__: 1 },
];

function outcome(answer: Answer): unknown {
  const { code, warnings } = answer;
  // A real server finds formats in a Go map, whose order is random.
  const areFormats = warnings.every((warning) => warning.startsWith('unrecognized format'));
  const told = warnings.length > 0 && { warnings: areFormats ? warnings.toSorted() : warnings };
  return code >= 400 ? { ...(refusal(answer) as object), ...told } : { code, ...told };
}

onEachServer('checks of definitions', (server) => {
  /** Dumps of whole schemas and versions are not compared, because Go prints every possible field. */
  const check = async (crd: any) => {
    const said = outcome(await server.session.post(`${crdsPath}?dryRun=All`, crd));
    const text = JSON.stringify(said, (_, item: unknown) =>
      typeof item === 'string'
        ? item.replaceAll(/Invalid value: \{.*\}: only/g, 'Invalid value: {…}: only')
        : item,
    );
    return JSON.parse(text) as unknown;
  };

  test.each(Object.keys(schemas))('a schema with %s', async (name) => {
    const said = await check(crdOf('Bad', schemas[name]));
    await expect(asRecorded(said)).toMatchFileSnapshot(
      `../recorded/crd-checks/${name.replaceAll(' ', '-')}.yaml`,
    );
  });

  test.each(Object.keys(edits))('a definition with %s', async (name) => {
    const properties = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}`, string]));
    const crd = crdOf('Bad', { a: string, b: { type: 'boolean' }, o: { type: 'object' }, ...properties });
    edits[name]?.(crd);
    await expect(asRecorded(await check(crd))).toMatchFileSnapshot(
      `../recorded/crd-checks/${name.replaceAll(' ', '-')}.yaml`,
    );
  });

  test('formats of strings', async () => {
    await installCrd(
      server.session,
      crdOf('Format', Object.fromEntries(formats.map((format) => [format, { type: 'string', format }]))),
    );
    const taken: Record<string, string[]> = Object.fromEntries(formats.map((format) => [format, []]));
    for (const text of texts) {
      const spec = Object.fromEntries(formats.map((format) => [format, text]));
      const { body } = await server.session.post(
        `${pathOf('Format')}?dryRun=All`,
        objectOf('Format', 'f', spec),
      );
      const wrong = (body.details?.causes ?? []).map(({ field }: any) => field);
      for (const format of formats) if (!wrong.includes(`spec.${format}`)) taken[format]?.push(text);
    }
    await expect(asRecorded(taken)).toMatchFileSnapshot('../recorded/crd-formats.yaml');
  });

  test('the server defaults, prunes and refuses values', async () => {
    await installCrd(server.session, crdOf('Completed', completed as any));
    const said: Record<string, unknown> = {};
    for (const [index, spec] of specs.entries()) {
      const answer = await server.session.post(
        `${pathOf('Completed')}?dryRun=All`,
        objectOf('Completed', 'c', spec),
      );
      const stored = answer.code === 201 && { spec: withSortedKeys(answer.body.spec) };
      said[`${index} ${JSON.stringify(spec)}`] = { ...(outcome(answer) as object), ...stored };
    }
    await expect(asRecorded(said)).toMatchFileSnapshot('../recorded/crd-values.yaml');
  });
});
