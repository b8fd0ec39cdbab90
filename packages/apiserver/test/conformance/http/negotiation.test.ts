import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configMaps, crdOf, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const accepts = [
  'text/plain',
  'text/html,application/json;q=0.5',
  'application/*',
  'application/json;foo=bar',
  'application/json;stream=watch',
  'application/yaml',
  'application/json;q=0.1,application/yaml',
  'application/json;as=Foo;g=meta.k8s.io;v=v1',
  'application/json;as=Foo;g=meta.k8s.io;v=v1,application/json',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
  'application/json;as=Table;g=meta.k8s.io;v=v9',
  'application/yaml;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
];

const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

onEachServer('content negotiation', (server) => {
  const custom = pathOf('Negotiated');
  beforeAll(async () => {
    await installCrd(server.session, crdOf('Negotiated', { a: { type: 'string' } }));
    await server.session.post(configMaps, {
      metadata: { name: 'one', labels: { a: 'b' } },
      data: { yes: 'no' },
    });
    await server.session.post(custom, objectOf('Negotiated', 'one', { a: 'b' }));
  });

  /** The form of an answer, and its message if it is a refusal. */
  async function formOf(path: string, accept: string): Promise<string> {
    const { code, contentType, body: raw } = await server.session.send('GET', path, { accept });
    const body: any = contentType === 'application/yaml' ? parse(raw) : raw;
    const { kind, apiVersion = '', message, reason = '', details } = body;
    const said = kind === 'Status' ? `${reason} ${JSON.stringify(message)} ${JSON.stringify(details)}` : '';
    return `${code} ${contentType} ${apiVersion} ${kind ?? body} ${said}`.trim();
  }

  test.each([
    ['a built-in list', '/api/v1/namespaces/none/configmaps'],
    ['a built-in object', `${configMaps}/one`],
    ['a missing object', `${configMaps}/nope`],
    ['a custom list', '/apis/conformance.example.com/v1/namespaces/none/negotiateds'],
    ['a custom object', `${custom}/one`],
    ['a list of resources', '/apis/apps/v1'],
    ['a list of defined resources', '/apis/conformance.example.com/v1'],
    ['a group', '/apis/apps'],
    ['all groups', '/apis'],
    ['the core group', '/api'],
    ['nothing', '/apis/nope'],
  ])('the form of %s', async (title, path) => {
    const forms: Record<string, string> = {};
    for (const accept of accepts) forms[accept] = await formOf(path, accept);
    await expect(asRecorded(forms)).toMatchFileSnapshot(
      `../recorded/negotiation/${title.replaceAll(' ', '-')}.yaml`,
    );
  });

  test('a watch is not available as YAML', async () => {
    for (const path of [configMaps, custom]) {
      expect(await formOf(`${path}?watch=1&timeoutSeconds=1`, 'application/yaml')).toBe(
        '406 application/yaml v1 Status NotAcceptable "only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch" undefined',
      );
    }
  });

  test('YAML has sorted keys and quotes what YAML 1.1 would read as another type', async () => {
    const { body } = await server.session.send('GET', `${configMaps}/one`, { accept: 'application/yaml' });
    const lines = body.split('\n').filter((line: string) => /^\w/.test(line));
    expect(lines.map((line: string) => line.split(':')[0])).toStrictEqual([
      'apiVersion',
      'data',
      'kind',
      'metadata',
    ]);
    expect(body).toContain('"yes": "no"');
  });

  test('partial metadata contains only the metadata', async () => {
    const expected = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };
    for (const [path, list] of [
      [`${configMaps}/one`, `${configMaps}?labelSelector=a`],
      [`${custom}/one`, custom],
    ] as const) {
      const whole = (await server.session.get(path)).body;
      expect((await server.session.send('GET', path, { accept: partial })).body).toStrictEqual({
        ...expected,
        metadata: whole.metadata,
      });
      const { body } = await server.session.send('GET', list, { accept: partialList });
      expect(body).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
      expect(body.items).toStrictEqual([{ ...expected, metadata: whole.metadata }]);
    }
  });

  test('writes answer with partial metadata, and deletions with a Status', async () => {
    const created = await server.session.send('POST', configMaps, {
      accept: partial,
      body: { metadata: { name: 'written' }, data: { a: 'b' } },
    });
    expect(created.code).toBe(201);
    expect(created.body).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'written' } });
    expect(created.body.data).toBeUndefined();
    const patched = await server.session.send('PATCH', `${configMaps}/written`, {
      accept: partial,
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { l: 'm' } } },
    });
    expect(patched.body).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { labels: { l: 'm' } } });
    const deleted = await server.session.send('DELETE', `${configMaps}/written`, { accept: partial });
    expect(deleted.body).toMatchObject({ kind: 'Status', status: 'Success' });
  });

  test('a large answer is compressed on request, and a watch never is', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const large = { metadata: { name: 'large' }, data: { a: 'x'.repeat(140 * 1024) } };
    await server.session.post(configMaps, large);
    const response = await server.session.open('GET', `${configMaps}/large`, { headers });
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip' });
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    expect(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()).data).toStrictEqual(large.data);
    expect((await server.session.get(`${configMaps}/large`)).headers['content-encoding']).toBeUndefined();
    const small = await server.session.send('GET', `${configMaps}/one`, { headers });
    expect(small.headers['content-encoding']).toBeUndefined();
    const watch = await server.session.open('GET', `${configMaps}?watch=1`, { headers });
    expect(watch.headers['content-encoding']).toBeUndefined();
    watch.destroy();
    await server.session.delete(`${configMaps}/large`);
  });

  test('every answer has an audit ID, which a client can choose, and must not be cached', async () => {
    const { headers } = await server.session.get(`${configMaps}/one`);
    expect(headers).toMatchObject({ 'cache-control': 'no-cache, private' });
    expect(headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
    const chosen = await server.session.send('GET', `${configMaps}/nope`, {
      headers: { 'audit-id': 'chosen' },
    });
    expect(chosen.headers['audit-id']).toBe('chosen');
  });

  test('curl and pretty=true get indented JSON', async () => {
    const texts = async (path: string, headers: Record<string, string>) => {
      const response = await server.session.open('GET', path, { headers });
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      return text.trim().split('\n').length;
    };
    expect(await texts('/api', {})).toBe(1);
    expect(await texts('/api?pretty=true', {})).toBeGreaterThan(5);
    expect(await texts('/api', { 'user-agent': 'curl/8' })).toBeGreaterThan(5);
    expect(await texts('/api?pretty=false', { 'user-agent': 'curl/8' })).toBe(1);
  });
});
