import { expect, test } from 'vitest';
import { configMaps } from '../../support/fixtures.ts';
import { normalize } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';

onEachServer('patches', (server) => {
  const create = async (name: string, extra: object = {}) =>
    (await server.session.post(configMaps, { metadata: { name }, ...extra })).body;

  const path = `${configMaps}/patched`;

  test('a merge patch merges, and null removes', async () => {
    await create('patched', { data: { a: '1', b: '2' } });
    const answer = await server.session.merge(path, {
      data: { a: null, c: '3' },
      metadata: { labels: { x: 'y' } },
    });
    expect(answer.code).toBe(200);
    expect(normalize(answer.body)).toMatchObject({
      data: { b: '2', c: '3' },
      metadata: { labels: { x: 'y' } },
    });
  });

  test('a JSON patch adds, removes, replaces, copies, moves and tests', async () => {
    const answer = await server.session.jsonPatch(path, [
      { op: 'test', path: '/data/b', value: '2' },
      { op: 'test', path: '/nope', value: null },
      { op: 'add', path: '/metadata/labels/example.com~1l', value: 'v' },
      { op: 'copy', from: '/data/b', path: '/data/d' },
      { op: 'move', from: '/data/c', path: '/data/e' },
      { op: 'replace', path: '/data/b', value: 'new' },
      { op: 'add', path: '/metadata/finalizers', value: ['example.com/a'] },
      { op: 'add', path: '/metadata/finalizers/0', value: 'example.com/b' },
      { op: 'add', path: '/metadata/finalizers/-', value: 'example.com/c' },
      { op: 'remove', path: '/metadata/finalizers/1' },
    ]);
    expect(normalize(answer.body)).toMatchObject({
      data: { b: 'new', d: '2', e: '3' },
      metadata: {
        labels: { x: 'y', 'example.com/l': 'v' },
        finalizers: ['example.com/b', 'example.com/c'],
      },
    });
  });

  test.each([
    ['a failing test', [{ op: 'test', path: '/data/b', value: 'other' }]],
    ['a missing path', [{ op: 'remove', path: '/nope' }]],
    ['an unknown operation', [{ op: 'foo', path: '/data' }]],
    ['a path without slash', [{ op: 'add', path: 'metadata', value: {} }]],
    ['an index beyond the end', [{ op: 'add', path: '/metadata/finalizers/9', value: 'a.b/c' }]],
  ])('%s fails the whole JSON patch', async (_, operations) => {
    const before = (await server.session.get(path)).body;
    const answer = await server.session.jsonPatch(path, [
      { op: 'add', path: '/data/z', value: 'z' },
      ...operations,
    ]);
    expect(answer.body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    });
    expect((await server.session.get(path)).body).toStrictEqual(before);
  });

  test.each([
    [
      'merge',
      '[]',
      400,
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'json',
      '{}',
      400,
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    [
      'json',
      '["x"]',
      400,
      'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp',
    ],
    ['merge', 'x', 400, expect.stringMatching(/^error decoding patch: /)],
    [
      'merge',
      '{"metadata":{"name":"x"}}',
      400,
      'the name of the object (x) does not match the name on the URL (patched)',
    ],
    [
      'merge',
      '{"metadata":{"namespace":"x"}}',
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'merge',
      '{"metadata":{"resourceVersion":"1"}}',
      409,
      expect.stringContaining('the object has been modified'),
    ],
    [
      'merge',
      '{"metadata":{"uid":"x"}}',
      422,
      'ConfigMap "patched" is invalid: metadata.uid: Invalid value: "x": field is immutable',
    ],
    ['foo', '{}', 415, '415: Unsupported Media Type'],
  ])('a %s patch of %s is refused', async (type, raw, code, message) => {
    const contentType = type === 'foo' ? 'application/json' : `application/${type}-patch+json`;
    const answer = await server.session.send('PATCH', path, { raw, contentType });
    expect(answer.body).toMatchObject({ code, message });
  });

  test('a missing object wins over a bad patch', async () => {
    const answer = await server.session.send('PATCH', `${configMaps}/nope`, {
      raw: 'x',
      contentType: 'application/merge-patch+json',
    });
    expect(answer.code).toBe(404);
  });
});
