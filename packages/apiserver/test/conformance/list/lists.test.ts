import { beforeAll, expect, test } from 'vitest';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const namesOf = (body: any) => body.items.map((item: any) => item.metadata.name);

onEachServer('lists and discovery', (server) => {
  const list = '/api/v1/namespaces/lists/configmaps';
  beforeAll(async () => {
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'lists' } });
    for (const [name, a] of [
      ['c3', '3'],
      ['c1', '1'],
      ['c2', '2'],
    ]) {
      await server.session.post(list, { metadata: { name, labels: { a, [`only-${name}`]: '' } } });
    }
  });

  test('a list is sorted, and its items have no type', async () => {
    const { body } = await server.session.get(list);
    expect(body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(namesOf(body)).toStrictEqual(['c1', 'c2', 'c3']);
    expect(body.items[0].kind).toBeUndefined();
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(
      Number(body.items[2].metadata.resourceVersion),
    );
    expect((await server.session.get('/api/v1/namespaces/nope/configmaps')).body.items).toStrictEqual([]);
    expect(namesOf((await server.session.get('/api/v1/configmaps')).body)).toStrictEqual(
      expect.arrayContaining(['c1', 'c2', 'c3']),
    );
  });

  test.each([
    ['a=1', ['c1']],
    ['a==1', ['c1']],
    ['a!=1', ['c2', 'c3']],
    ['a in (1,2)', ['c1', 'c2']],
    ['a notin (1,2)', ['c3']],
    ['a', ['c1', 'c2', 'c3']],
    ['!a', []],
    ['only-c1', ['c1']],
    ['only-c1=', ['c1']],
    ['!only-c1, a!=2', ['c3']],
    ['a>1', ['c2', 'c3']],
    ['a<2', ['c1']],
    ['a in ()', []],
    ['constructor', []],
  ])('labelSelector %s', async (selector, names) => {
    const { body } = await server.session.get(`${list}?labelSelector=${encodeURIComponent(selector)}`);
    expect(namesOf(body)).toStrictEqual(names);
  });

  test.each([
    ['metadata.name=c2', ['c2']],
    ['metadata.name!=c2,metadata.namespace==lists', ['c1', 'c3']],
    ['metadata.name=nope', []],
  ])('fieldSelector %s', async (selector, names) => {
    const { body } = await server.session.get(`${list}?fieldSelector=${encodeURIComponent(selector)}`);
    expect(namesOf(body)).toStrictEqual(names);
  });

  test('wrong parameters are refused', async () => {
    const queries = [
      'labelSelector=a===',
      'labelSelector=a foo (1)',
      'labelSelector=a b',
      'labelSelector=,',
      'labelSelector=a,',
      'labelSelector=a=b c',
      'labelSelector=a=!!',
      'labelSelector=-a=b',
      'labelSelector=a>x',
      'labelSelector=a in (',
      'fieldSelector=a.b=c',
      'fieldSelector=a.b',
      'limit=x',
      'timeoutSeconds=x&watch=1',
      'resourceVersion=x',
      'resourceVersion=x&watch=1',
      'resourceVersionMatch=Foo',
      'resourceVersionMatch=Exact',
      'watch=1&resourceVersionMatch=Exact&resourceVersion=1',
      'watch=1&sendInitialEvents=true',
      'sendInitialEvents=true',
      'continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJjMVx1MDAwMCJ9&resourceVersion=5',
    ];
    const refusals: Record<string, unknown> = {};
    for (const query of queries) {
      const encoded = query.replaceAll(' ', '%20').replaceAll('>', '%3E');
      refusals[query] = refusal(await server.session.get(`${list}?${encoded}`));
    }
    await expect(asRecorded(refusals)).toMatchFileSnapshot('../recorded/list-parameters.yaml');
  });

  test('an invalid continue token is refused', async () => {
    expect((await server.session.get(`${list}?continue=abc`)).body).toMatchObject({
      code: 400,
      message: expect.stringMatching(/^invalid continue token: continue key is not valid: /),
    });
  });

  test('a version far in the future is refused', async () => {
    const { body } = await server.session.get(`${list}?resourceVersion=999999999`);
    expect(body).toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: expect.stringMatching(/^Timeout: Too large resource version: 999999999, current: \d+$/),
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    });
  });

  test('all pages of a list show the same moment', async () => {
    const pages = '/api/v1/namespaces/lists/secrets';
    for (const name of ['s1', 's3', 's5'])
      await server.session.post(pages, { metadata: { name }, data: { k: 'YQ==' } });
    const first = (await server.session.get(`${pages}?limit=1`)).body;
    expect(first.metadata.remainingItemCount).toBe(2);
    await server.session.post(pages, { metadata: { name: 's4' } });
    await server.session.delete(`${pages}/s5`);
    await server.session.merge(`${pages}/s3`, { data: { k: 'Yg==' } });
    const token = encodeURIComponent(first.metadata.continue);
    const second = (await server.session.get(`${pages}?limit=5&continue=${token}`)).body;
    expect(namesOf(second)).toStrictEqual(['s3', 's5']);
    expect(second.items[0].data.k).toBe('YQ==');
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    expect(second.metadata.continue).toBeUndefined();
    const exact = `resourceVersion=${first.metadata.resourceVersion}&resourceVersionMatch=Exact`;
    expect(namesOf((await server.session.get(`${pages}?${exact}`)).body)).toStrictEqual(['s1', 's3', 's5']);
    expect(namesOf((await server.session.get(pages)).body)).toStrictEqual(['s1', 's3', 's4']);
    const filtered = (await server.session.get(`${pages}?limit=1&labelSelector=!x`)).body;
    expect(filtered.metadata.continue).toBeDefined();
    expect(filtered.metadata.remainingItemCount).toBeUndefined();
  });

  test.each([
    ['GET', '/api/v1/foos', 404],
    ['GET', '/api/v2', 404],
    ['GET', '/api/v2/foos', 404],
    ['GET', '/apis/apps/v9', 404],
    ['GET', '/apis/apps/v9/deployments', 404],
    ['GET', '/api/v1/namespaces/default/nodes', 404],
    ['PUT', '/api/v1/namespaces/default/configmaps', 405],
    ['POST', '/api/v1/configmaps', 405],
    ['POST', '/api/v1/namespaces/default/configmaps/a', 405],
    ['OPTIONS', '/api/v1/namespaces/default/configmaps', 405],
  ])('%s %s answers a Status', async (method, path, code) => {
    const answer = await server.session.send(method, path, method === 'GET' ? {} : { body: {} });
    expect(answer.code).toBe(code);
    expect(answer.body).toMatchObject(
      code === 404
        ? { reason: 'NotFound', message: 'the server could not find the requested resource', details: {} }
        : {
            reason: 'MethodNotAllowed',
            message: 'the server does not allow this method on the requested resource',
            details: {},
          },
    );
  });

  test.each(['/foo', '/apis/foo', '/apis/foo/v1', '/apis/foo/v1/bars', '//api/v1'])(
    '%s is not found',
    async (path) => {
      expect(await server.session.get(path)).toMatchObject({
        code: 404,
        contentType: 'text/plain; charset=utf-8',
        body: '404 page not found\n',
      });
    },
  );

  test.each(['/healthz', '/livez', '/readyz'])('%s is ok', async (path) => {
    expect(await server.session.get(path)).toMatchObject({
      code: 200,
      contentType: 'text/plain; charset=utf-8',
      body: 'ok',
    });
  });

  test('the version is that of the emulated release', async () => {
    const { code, body } = await server.session.get('/version');
    expect(code).toBe(200);
    expect(body).toMatchObject({
      major: '1',
      minor: expect.stringMatching(/^\d+/),
      gitVersion: expect.stringMatching(/^v1\./),
    });
  });

  test('discovery lists groups, versions and resources', async () => {
    expect((await server.session.get('/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const groups = (await server.session.get('/apis')).body;
    expect(groups).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' });
    const apps = groups.groups.find(({ name }: any) => name === 'apps');
    expect(apps).toStrictEqual({
      name: 'apps',
      versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
    });
    expect((await server.session.get('/apis/apps')).body).toStrictEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      ...apps,
    });
    const resources = (await server.session.get('/apis/apps/v1')).body;
    expect(resources).toMatchObject({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'apps/v1' });
    expect(
      resources.resources.filter(({ name }: any) => /^deployments(\/status)?$/.test(name)),
    ).toStrictEqual([
      {
        name: 'deployments',
        singularName: 'deployment',
        namespaced: true,
        kind: 'Deployment',
        verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
        shortNames: ['deploy'],
        categories: ['all'],
        storageVersionHash: expect.stringMatching(/=$/),
      },
      {
        name: 'deployments/status',
        singularName: '',
        namespaced: true,
        kind: 'Deployment',
        verbs: ['get', 'patch', 'update'],
      },
    ]);
    const core = (await server.session.get('/api/v1')).body.resources.find(
      ({ name }: any) => name === 'configmaps',
    );
    expect(core.storageVersionHash).toBe('qFsyl6wFWjQ=');
  });
});
