import { afterEach, beforeAll, expect, test } from 'vitest';
import { configMaps, crdOf, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';

const jsonDecodeError = /couldn't get version\/kind; json parse error: /;

onEachServer('hostile input', (server) => {
  const pots = pathOf('Pot');
  beforeAll(async () => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await installCrd(
      server.session,
      crdOf('Pot', { open, map: { type: 'object', additionalProperties: { type: 'string' } } }),
    );
  });
  afterEach(async () => {
    // Whatever a test sent, the server must still answer.
    const { body } = await server.session.get('/readyz');
    if (body !== 'ok') throw new Error(`the server is gone: ${body}`);
  });

  test.each([
    ['an unfinished text', '{"metadata":{"name":"a"},"data":{"a":"1"'],
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['a key without quotes', '{bad'],
    ['a trailing comma', '{"metadata":{"name":"a"},}'],
    ['a list', '[1]'],
    ['two values', '{} {}'],
    ['lists 20000 deep', `{"metadata":{"name":"a"},"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    [
      'objects 20000 deep',
      `{"metadata":{"name":"a"},"data":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
    ],
  ])('%s is refused as a body', async (_, raw) => {
    for (const path of [configMaps, pots]) {
      const { code, body } = await server.session.send('POST', path, { raw });
      expect(code).toBe(400);
      expect(body).toMatchObject({
        kind: 'Status',
        reason: 'BadRequest',
        message: expect.stringMatching(jsonDecodeError),
      });
    }
  });

  test('a list 9,000 deep is not a quantity', async () => {
    const limit = `{"type":"Pod","max":{"cpu":${'['.repeat(9000)}${']'.repeat(9000)}}}`;
    const raw = `{"metadata":{"name":"deep"},"spec":{"limits":[${limit}]}}`;
    const { code, body } = await server.session.send('POST', '/api/v1/namespaces/default/limitranges', {
      raw,
    });
    expect(code).toBe(400);
    expect(body.message).toContain('quantities must match the regular expression');
  });

  test('a key that repeats 200,000 times is read with one warning', async () => {
    await server.session.post(configMaps, { metadata: { name: 'often' } });
    const raw = `{"data":{${Array(200_000).fill('"a":"1"').join(',')}}}`;
    const contentType = 'application/merge-patch+json';
    const { code, warnings } = await server.session.send('PATCH', `${configMaps}/often`, {
      raw,
      contentType,
    });
    expect({ code, warnings }).toEqual({ code: 200, warnings: ['duplicate field "data.a"'] });
  });

  test('an apply of 100,000 wrong values is refused', async () => {
    const wrong = Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',');
    const raw = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"wrong"},"data":{${wrong}}}`;
    const contentType = 'application/apply-patch+yaml';
    const answer = await server.session.send('PATCH', `${configMaps}/wrong?fieldManager=a`, {
      raw,
      contentType,
    });
    expect(answer.code).toBe(500);
    expect(answer.body.message).toMatch(/^failed to create typed patch object/);
  });

  test('a body beyond 3 MiB is refused', async () => {
    const raw = JSON.stringify({ metadata: { name: 'big' }, data: { a: 'x'.repeat(3 * 1024 * 1024) } });
    expect((await server.session.send('POST', configMaps, { raw })).body).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: limit is 3145728',
    });
    expect(
      (
        await server.session.send('PATCH', `${configMaps}/a`, {
          raw,
          contentType: 'application/merge-patch+json',
        })
      ).code,
    ).toBe(413);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'x'])(
    'a body of type %s is refused',
    async (contentType) => {
      expect((await server.session.send('POST', configMaps, { raw: '{}', contentType })).body).toMatchObject({
        code: 415,
        reason: 'UnsupportedMediaType',
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      });
    },
  );

  test('a body may be YAML', async () => {
    const raw = 'metadata:\n  name: yaml\ndata:\n  key: value\n';
    const { code, body } = await server.session.send('POST', configMaps, {
      raw,
      contentType: 'application/yaml',
    });
    expect(code).toBe(201);
    expect(body.data).toStrictEqual({ key: 'value' });
  });

  test('keys that mean something to JavaScript are data', async () => {
    const raw = '{"metadata":{"name":"keys"},"data":{"__proto__":"p","constructor":"c","toString":"t"}}';
    const created = await server.session.send('POST', configMaps, { raw });
    expect(JSON.stringify(created.body.data)).toBe(JSON.stringify(JSON.parse(raw).data));
    const patched = await server.session.send('PATCH', `${configMaps}/keys`, {
      raw: '{"data":{"__proto__":"q","hasOwnProperty":"h"}}',
      contentType: 'application/merge-patch+json',
    });
    expect(Object.entries(patched.body.data).toSorted(([a], [b]) => (a < b ? -1 : 1))).toStrictEqual([
      ['__proto__', 'q'],
      ['constructor', 'c'],
      ['hasOwnProperty', 'h'],
      ['toString', 't'],
    ]);
    const moved = await server.session.jsonPatch(`${configMaps}/keys`, [
      { op: 'move', from: '/data/__proto__', path: '/data/a' },
      { op: 'copy', from: '/data/a', path: '/data/__proto__' },
    ]);
    expect(Object.getOwnPropertyDescriptor(moved.body.data, '__proto__')?.value).toBe('q');
    expect(Reflect.get({}, 'q')).toBeUndefined();
  });

  test('such keys are pruned, kept and validated like others in custom resources', async () => {
    const raw =
      '{"apiVersion":"conformance.example.com/v1","kind":"Pot","metadata":{"name":"keys","__proto__":{"x":1}},"__proto__":{"x":1},"spec":{"__proto__":1,"constructor":1,"open":{"__proto__":{"x":1}},"map":{"__proto__":"p"}}}';
    const { code, body, warnings } = await server.session.send('POST', pots, { raw });
    expect(code).toBe(201);
    expect(JSON.stringify(body.spec.open)).toBe('{"__proto__":{"x":1}}');
    expect(JSON.stringify(body.spec.map)).toBe('{"__proto__":"p"}');
    expect(Object.keys(body.spec).toSorted()).toStrictEqual(['map', 'open']);
    expect(warnings).toContain('unknown field "spec.__proto__"');
    const bad = '{"spec":{"map":{"__proto__":5}}}';
    const patch = await server.session.send('PATCH', `${pots}/keys`, {
      raw: bad,
      contentType: 'application/merge-patch+json',
    });
    expect(patch.body.message).toContain('spec.map.__proto__ in body must be of type string: "integer"');
  });

  test('an invalid number is refused', async () => {
    const raw = JSON.stringify(objectOf('Pot', 'huge', { open: { n: 0 } })).replace('"n":0', '"n":1e999');
    expect((await server.session.send('POST', pots, { raw })).code).toBe(400);
  });

  test('bytes that are not UTF-8 are replaced', async () => {
    const raw = Buffer.concat([
      Buffer.from('{"metadata":{"name":"bytes"},"data":{"a":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}}'),
    ]);
    const { code, body } = await server.session.send('POST', configMaps, { raw });
    expect(code).toBe(201);
    expect(body.data.a).toBe('\ufffd\ufffd');
  });

  test('a path that cannot be decoded is refused', async () => {
    for (const path of [`${configMaps}/%zz`, '/api/v1/%', `${configMaps}/%2`]) {
      expect(await server.session.get(path)).toMatchObject({ code: 400, body: '400 Bad Request' });
    }
  });

  test('strange names and parameters find nothing', async () => {
    for (const name of ['__proto__', 'constructor', 'a%2Fb', '%00', '..', '%E2%82%AC']) {
      expect((await server.session.get(`${configMaps}/${name}`)).code).toBeGreaterThanOrEqual(300);
      expect((await server.session.get(`/api/v1/${name}`)).code).toBeGreaterThanOrEqual(300);
    }
    expect((await server.session.get(`${configMaps}?labelSelector=__proto__`)).code).toBe(400);
    expect((await server.session.get(`${configMaps}?a=%zz&b&=&&`)).code).toBe(200);
  });

  test('patches cannot reach beyond the object', async () => {
    await server.session.post(configMaps, { metadata: { name: 'reach' } });
    for (const path of [
      '/__proto__/x',
      '/constructor/prototype/x',
      '/data/__proto__/x',
      '/metadata/labels/constructor/x',
    ]) {
      const { code } = await server.session.jsonPatch(`${configMaps}/reach`, [
        { op: 'add', path, value: 'y' },
      ]);
      expect(code).toBe(422);
    }
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  test('a JSON patch of too many operations is refused', async () => {
    await server.session.post(configMaps, { metadata: { name: 'many' } });
    const operations = Array.from({ length: 10_001 }, () => ({
      op: 'test',
      path: '/kind',
      value: 'ConfigMap',
    }));
    expect((await server.session.jsonPatch(`${configMaps}/many`, operations)).body).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });

  test.each([
    // Each value is 1002 bytes of JSON. The limit is 3 MiB.
    ['3139 copies of a kilobyte', 3139, 200],
    ['3140 copies of a kilobyte', 3140, 422],
  ])('%s by a JSON patch', async (_, count, expected) => {
    await server.session.post(configMaps, { metadata: { name: 'copies' }, data: { a: 'x'.repeat(1000) } });
    const operations = Array.from({ length: count }, () => ({
      op: 'copy',
      from: '/data/a',
      path: '/data/b',
    }));
    const { code } = await server.session.jsonPatch(`${configMaps}/copies?dryRun=All`, operations);
    expect(code).toBe(expected);
  });

  test('copies of a JSON patch that double the object are refused', async () => {
    await server.session.post(pots, objectOf('Pot', 'double', { open: { a: 'x' } }));
    const copies = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        op: 'copy',
        from: '/spec/open',
        path: `/spec/open/c${index}`,
      }));
    expect((await server.session.jsonPatch(`${pots}/double?dryRun=All`, copies(8))).code).toBe(200);
    expect((await server.session.jsonPatch(`${pots}/double`, copies(100))).body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
    expect((await server.session.get(`${pots}/double`)).body.spec.open).toStrictEqual({ a: 'x' });
  });

  test.each([
    ['9 lists of 9', 2, 201],
    ['9 lists of 9 lists of 9', 3, 400],
    ['many times more', 9, 400],
  ])('aliases that stand for %s', async (_, levels, expected) => {
    const list = (item: string) => `[${Array.from({ length: 9 }, () => item).join(',')}]`;
    const lines = Array.from(
      { length: levels },
      (__, level) => `  a${level + 1}: &a${level + 1} ${list(`*a${level}`)}`,
    );
    const raw = `apiVersion: conformance.example.com/v1\nkind: Pot\nmetadata: {name: bomb${levels}}\nspec:\n open:\n  a0: &a0 ${list('x')}\n${lines.join('\n')}\n`;
    const { code, body } = await server.session.send('POST', pots, { raw, contentType: 'application/yaml' });
    expect(code).toBe(expected);
    if (expected === 400) expect(body.message).toContain('yaml: document contains excessive aliasing');
  });

  test('bytes in YAML are a text', async () => {
    const raw = (value: string) =>
      `apiVersion: conformance.example.com/v1\nkind: Pot\nmetadata: {name: binary}\nspec: {open: {a: !!binary "${value}"}}\n`;
    const sent = { contentType: 'application/yaml' };
    const { body } = await server.session.send('POST', pots, { ...sent, raw: raw('YWJj') });
    expect(body.spec.open).toStrictEqual({ a: 'abc' });
    const bad = await server.session.send('POST', pots, { ...sent, raw: raw('%%%') });
    expect(bad.body.message).toContain('!!binary value contains invalid base64 data');
  });

  test.each([
    [
      'a selector',
      () => server.session.get(`${configMaps}?labelSelector=a%20in%20(${'b,'.repeat(100_000)}b)`),
      200,
    ],
    ['a name', () => server.session.get(`${configMaps}/${'a'.repeat(300_000)}`), 404],
    [
      'a header',
      () => server.session.send('GET', configMaps, { headers: { 'x-long': 'a'.repeat(900_000) } }),
      200,
    ],
    [
      'a header that is too long',
      () => server.session.send('GET', configMaps, { headers: { 'x-long': 'a'.repeat(1_100_000) } }),
      431,
    ],
  ])('%s may be long', async (_, send, expected) => {
    expect((await send()).code).toBe(expected);
  });

  test('an answer in an unknown media type is refused', async () => {
    const { code } = await server.session.send('GET', configMaps, { accept: 'text/html' });
    expect(code).toBe(406);
  });
});
