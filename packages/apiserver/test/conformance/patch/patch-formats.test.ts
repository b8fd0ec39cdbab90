import { expect, test } from 'vitest';
import { configMaps, crdOf, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { inOrder } from '../../support/in-order.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';

const patchType = (type: string) => `application/${type}-patch+json`;

/** JSON patches of one or more operations. Each applies to a new ConfigMap with data x and n and two finalizers. */
const jsonPatches: Record<string, unknown> = {
  null: null,
  'no operations': [],
  'an operation that is null': [null],
  'an operation without op': [{ path: '/data/x', value: '1' }],
  'op that is a number': [{ op: 1, path: '/data' }],
  'path that is a number': [{ op: 'test', path: 3 }],
  'from that is a list': [{ op: 'move', from: [], path: '/data/y' }],
  'op in capitals': [{ op: 'Add', path: '/data/y', value: '1' }],
  'add without a value': [{ op: 'add', path: '/metadata/annotations/y' }],
  'add to a missing parent': [{ op: 'add', path: '/nope/y', value: '1' }],
  'add below a string': [{ op: 'add', path: '/data/x/y', value: '1' }],
  'add the document': [{ op: 'add', path: '', value: {} }],
  'add with text in front of the path': [{ op: 'add', path: 'foo/data/y', value: '1' }],
  'add at -1': [{ op: 'add', path: '/metadata/finalizers/-1', value: 'a.b/e' }],
  'add at -4': [{ op: 'add', path: '/metadata/finalizers/-4', value: 'a.b/e' }],
  'add at the end by index': [{ op: 'add', path: '/metadata/finalizers/2', value: 'a.b/e' }],
  'add beyond the end': [{ op: 'add', path: '/metadata/finalizers/3', value: 'a.b/e' }],
  'add at no index': [{ op: 'add', path: '/metadata/finalizers/x', value: 'a.b/e' }],
  'replace a missing key': [{ op: 'replace', path: '/data/y', value: '1' }],
  'replace below a missing parent': [{ op: 'replace', path: '/nope/y', value: '1' }],
  'replace at 01': [{ op: 'replace', path: '/metadata/finalizers/01', value: 'a.b/e' }],
  'replace at +1': [{ op: 'replace', path: '/metadata/finalizers/+1', value: 'a.b/e' }],
  'replace at the end': [{ op: 'replace', path: '/metadata/finalizers/-', value: 'a.b/e' }],
  'replace the document by an object': [{ op: 'replace', path: '', value: {} }],
  'replace the document by a list': [{ op: 'replace', path: '', value: [] }],
  'replace the document by a number': [{ op: 'replace', path: '', value: 3 }],
  'remove a missing key': [{ op: 'remove', path: '/data/y' }],
  'remove the metadata': [{ op: 'remove', path: '/metadata' }],
  'remove the document': [{ op: 'remove', path: '' }],
  'remove at -1': [{ op: 'remove', path: '/metadata/finalizers/-1' }],
  'remove at the end': [{ op: 'remove', path: '/metadata/finalizers/-' }],
  move: [{ op: 'move', from: '/data/x', path: '/data/y' }],
  'move of a missing key': [{ op: 'move', from: '/data/y', path: '/data/z' }],
  'move into itself': [{ op: 'move', from: '/data', path: '/data/y' }],
  'move within a list': [{ op: 'move', from: '/metadata/finalizers/0', path: '/metadata/finalizers/1' }],
  'copy of a missing key': [{ op: 'copy', from: '/data/y', path: '/metadata/annotations/z' }],
  'copy of the document': [{ op: 'copy', from: '', path: '/data/z' }],
  'copy without from': [{ op: 'copy', path: '/data/z' }],
  'copy, then change the copy': [
    { op: 'copy', from: '/data', path: '/metadata/annotations' },
    { op: 'remove', path: '/metadata/annotations/n' },
    { op: 'replace', path: '/metadata/annotations/x', value: '3' },
  ],
  'test of a missing key for nothing': [{ op: 'test', path: '/data/y' }],
  'test of a missing key for null': [{ op: 'test', path: '/data/y', value: null }],
  'test of a missing key for a value': [{ op: 'test', path: '/data/y', value: '1' }],
  'test of a key for nothing': [{ op: 'test', path: '/data/x' }],
  'test of a map in another order': [{ op: 'test', path: '/data', value: { x: '1', n: '2' } }],
  'test of a list': [{ op: 'test', path: '/metadata/finalizers', value: ['a.b/c', 'a.b/d'] }],
  'test of a part': [{ op: 'test', path: '/data', value: { x: '1' } }],
  'test of the document': [{ op: 'test', path: '', value: {} }],
  'test of an index': [{ op: 'test', path: '/metadata/finalizers/+1', value: 'a.b/d' }],
  escapes: [
    { op: 'remove', path: '/metadata/annotations/q' },
    { op: 'add', path: '/metadata/annotations/a~1b', value: '1' },
    { op: 'test', path: '/metadata/annotations', value: { 'a/b': '1' } },
    { op: 'test', path: '/metadata/annotations/a~01b', value: null },
  ],
  'keys of the prototype': [
    { op: 'test', path: '/constructor' },
    { op: 'test', path: '/data/toString' },
    { op: 'add', path: '/data/constructor', value: '1' },
  ],
  'below the prototype': [{ op: 'add', path: '/__proto__/polluted', value: '1' }],
  'unknown fields of an operation': [{ op: 'test', path: '/data/x', value: '1', foo: 1 }],
  'another name': [{ op: 'replace', path: '/metadata/name', value: 'other' }],
  'no version': [{ op: 'remove', path: '/apiVersion' }],
  'no kind': [{ op: 'remove', path: '/kind' }],
};

/** Merge patches of the same object. */
const mergePatches: Record<string, unknown> = {
  null: null,
  'a number': 3,
  'an empty object': {},
  'another kind': { kind: 'Other' },
  'another version': { apiVersion: 'apps/v1' },
  'no kind': { kind: null },
  'no version': { apiVersion: null },
  'no metadata': { metadata: null },
  'no name': { metadata: { name: null } },
  'a number for labels': { metadata: { labels: 3 } },
  'null for a missing key': { data: { y: null }, binaryData: null },
  'null deep in what is new': { metadata: { annotations: { a: null, b: '1' } } },
};

/** Merge patches of a custom resource without a schema, applied one after the other. */
const openPatches = [
  { spec: { n: { x: null, l: [null, { y: null }] } } },
  { spec: { l: [null, { y: null, z: [{ w: null, v: 1 }] }] } },
  { spec: { l: [{ y: null }] } },
  { spec: { m: { y: 1 } } },
  { spec: { m: [{ y: null }] } },
  { spec: { m: [{ y: null }] } },
  { spec: { m: { y: { z: null } } } },
  { spec: { m: { y: 3 } } },
  { spec: { m: 'x', n: null } },
];

onEachServer('formats of patches', (server) => {
  const send = (type: string, path: string, raw: string): Promise<Answer> =>
    server.session.send('PATCH', path, { raw, contentType: patchType(type) });

  async function create(name: string): Promise<string> {
    const metadata = { name, finalizers: ['a.b/c', 'a.b/d'], annotations: { q: '1' } };
    await server.session.post(configMaps, { metadata, data: { x: '1', n: '2' } });
    return `${configMaps}/${name}`;
  }

  function outcome(answer: Answer): unknown {
    const { code, body, warnings } = answer;
    const warned = warnings.length > 0 && { warnings };
    if (code !== 200) return { ...(refusal(answer) as object), ...maskPatch(body) };
    const { data, binaryData, metadata } = body;
    const { finalizers, annotations } = metadata;
    const fields = { data, binaryData, finalizers, annotations, ...warned };
    return inOrder(fields);
  }

  test.each([
    ['json', jsonPatches],
    ['merge', mergePatches],
  ])('%s patches', async (type, patches) => {
    const outcomes: Record<string, unknown> = {};
    for (const [index, [title, patch]] of Object.entries(patches).entries()) {
      outcomes[title] = outcome(await send(type, await create(`${type}-${index}`), JSON.stringify(patch)));
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/patches/${type}.yaml`);
  });

  test('merge patches of fields without a schema treat null as the real server does', async () => {
    const kind = 'OpenField';
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const crd = crdOf(kind, {});
    crd.spec.versions[0].schema.openAPIV3Schema.properties.spec = open;
    await installCrd(server.session, crd);
    await server.session.post(pathOf(kind), objectOf(kind, 'a', { a: 1 }));
    const seen = [];
    for (const patch of openPatches) {
      const { body } = await server.session.merge(`${pathOf(kind)}/a`, patch);
      seen.push(inOrder(body.spec));
    }
    await expect(asRecorded(seen)).toMatchFileSnapshot('../recorded/patches/open-fields.yaml');
  });

  test('without field validation, another parser reads the patch', async () => {
    const url = `${await create('ignore')}?fieldValidation=Ignore`;
    const outcomes: Record<string, unknown> = {};
    for (const [type, raw] of [
      ['json', '{}'],
      ['json', '["x"]'],
      ['json', '[{"op":1,"path":"/data"}]'],
      ['json', '[{"op":"test","op":"test","path":"/data/x","value":"1","foo":1}]'],
      ['merge', '[]'],
      ['merge', 'x'],
      ['merge', '3'],
      ['merge', '"x"'],
      ['merge', 'null'],
      ['merge', '{"data":{"a":"1","a":"2"},"nope":1}'],
    ] as const) {
      outcomes[`${type} ${raw}`] = outcome(await send(type, url, raw));
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/patches/ignored-fields.yaml');
  });

  test('unknown and repeated fields of a patch cause warnings or refusals', async () => {
    const outcomes: Record<string, unknown> = {};
    for (const [type, raw] of [
      [
        'json',
        '[{"op":"test","path":"/data/x","value":"1","b":1,"a":2},{"op":"test","op":"test","path":"/data/n","value":"2"}]',
      ],
      ['json', '[{"op":"add","path":"/metadata/foo","value":{"a":1,"a":2}}]'],
      ['merge', '{"data":{"a":"1","a":"2"},"metadata":{"foo":1}}'],
    ] as const) {
      for (const fieldValidation of ['Warn', 'Strict']) {
        const url = await create(`odd-${Object.keys(outcomes).length}`);
        const answer = await send(type, `${url}?fieldValidation=${fieldValidation}`, raw);
        outcomes[`${fieldValidation} ${raw}`] = outcome(answer);
      }
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot('../recorded/patches/odd-fields.yaml');
  });

  test('a patch of too many operations is too large', async () => {
    const url = await create('operations');
    const operations = Array.from({ length: 10_000 }, () => ({ op: 'test', path: '/data/x', value: '1' }));
    expect((await server.session.jsonPatch(url, operations)).code).toBe(200);
    const { code, body } = await server.session.jsonPatch(url, [...operations, operations[0]]);
    expect([code, body.reason, body.message]).toStrictEqual([
      413,
      'RequestEntityTooLarge',
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ]);
  });

  test.each(['json', 'merge', 'strategic-merge'])(
    'a %s patch of too many bytes is too large',
    async (type) => {
      const raw = JSON.stringify({ data: { a: 'x'.repeat(3 * 1024 * 1024) } });
      const { code, body } = await send(type, await create(`large-${type}`), raw);
      expect([code, body.reason, body.message]).toStrictEqual([
        413,
        'RequestEntityTooLarge',
        'Request entity too large: limit is 3145728',
      ]);
    },
  );

  test('a patch that changes nothing keeps the version', async () => {
    const url = await create('noop');
    const before = normalizeVersion((await server.session.get(url)).body);
    for (const [type, patch] of [
      ['json', [{ op: 'add', path: '/data/x', value: '1' }]],
      [
        'json',
        [
          { op: 'add', path: '/data/y', value: '1' },
          { op: 'remove', path: '/data/y' },
        ],
      ],
      ['merge', { data: { x: '1' } }],
      ['merge', { metadata: { labels: {} } }],
    ] as const) {
      const { body } = await send(type, url, JSON.stringify(patch));
      expect(normalizeVersion(body)).toStrictEqual(before);
    }
  });
});

/** The message prints the object with its keys in an order that differs. */
function maskPatch({ message, details }: any): object {
  if (!message.startsWith(' "" is invalid: patch: ')) return {};
  const masked = (text: string) => text.replace(/Invalid value: "\{.*\}": /s, 'Invalid value: "{…}": ');
  const causes = details.causes.map((cause: any) => masked(cause.message));
  return { message: masked(message), causes };
}

function normalizeVersion(body: any): unknown {
  return { ...(normalize(body) as object), resourceVersion: body.metadata.resourceVersion };
}
