import { beforeAll, expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, until, versionOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const asked = `${aggregated},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`;

/** Resources that both servers serve: the embedded one does not serve every version and subresource. */
const compared = ['configmaps', 'namespaces', 'events', 'endpoints', 'networkpolicies', 'cronjobs', 'leases'];

onEachServer('discovery', (server) => {
  beforeAll(async () => {
    const crd = crdOf('Found', {});
    crd.spec.names.shortNames = ['fd'];
    crd.spec.names.categories = ['all'];
    crd.spec.versions = [
      versionOf('v1alpha1', true, {}),
      versionOf('v1', false, {}),
      versionOf('v1beta1', false, {}),
    ];
    await installCrd(server.session, crd);
  });

  async function findGroup(name: string): Promise<any> {
    const { body } = await server.session.send('GET', '/apis', { accept: asked });
    return body.items.find(({ metadata }: any) => metadata.name === name);
  }

  test('one document lists all resources', async () => {
    const core = await server.session.send('GET', '/api', { accept: asked });
    expect(core).toMatchObject({
      code: 200,
      contentType: aggregated,
      headers: { vary: 'Accept', 'cache-control': 'public' },
    });
    const others = await server.session.send('GET', '/apis', { accept: asked });
    const { kind, apiVersion, metadata } = others.body;
    expect({ kind, apiVersion, metadata }).toStrictEqual({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
    });
    const resources = [...core.body.items, ...others.body.items].flatMap(({ metadata: { name }, versions }) =>
      versions.flatMap(({ version, resources: list, freshness }: any) =>
        list
          .filter(({ resource }: any) => compared.includes(resource))
          .map((entry: any) => ({ group: name, version, freshness, ...entry })),
      ),
    );
    await expect(asRecorded(resources)).toMatchFileSnapshot('../recorded/aggregated-discovery.yaml');
  });

  test('a custom resource appears in every version, the newest stable one first', async () => {
    await until(async () => (await findGroup('conformance.example.com')) !== undefined);
    const group = await findGroup('conformance.example.com');
    await expect(asRecorded(group)).toMatchFileSnapshot('../recorded/aggregated-discovery-of-crd.yaml');
  });

  test('the legacy lists contain the same', async () => {
    const paths = [
      '/apis/conformance.example.com',
      '/apis/conformance.example.com/v1',
      '/apis/events.k8s.io/v1',
    ];
    const documents: Record<string, unknown> = {};
    for (const path of paths) documents[path] = (await server.session.get(path)).body;
    const { resources } = (await server.session.get('/api/v1')).body;
    documents['/api/v1'] = resources.filter(({ name }: any) => compared.includes(name.split('/')[0]));
    await expect(asRecorded(documents)).toMatchFileSnapshot('../recorded/legacy-discovery.yaml');
  });

  test('a client with a current document gets 304 until something else is served', async () => {
    const { etag = '' } = (await server.session.send('GET', '/apis', { accept: asked })).headers;
    expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
    const again = { accept: asked, headers: { 'if-none-match': etag } };
    const known = await server.session.send('GET', '/apis', again);
    expect({ code: known.code, body: known.body, etag: known.headers.etag }).toStrictEqual({
      code: 304,
      body: '',
      etag,
    });
    await installCrd(server.session, crdOf('Later', {}));
    await until(async () => (await server.session.send('GET', '/apis', again)).code === 200);
    await server.session.delete(`${crdsPath}/laters.conformance.example.com`);
  });

  test('a client that does not request the document gets the legacy lists', async () => {
    expect((await server.session.send('GET', '/apis', { accept: 'application/json' })).body.kind).toBe(
      'APIGroupList',
    );
    expect((await server.session.send('GET', '/api', { accept: '*/*' })).body.kind).toBe('APIVersions');
    const preferring = `application/json,${aggregated}`;
    expect((await server.session.send('GET', '/apis', { accept: preferring })).body.kind).toBe(
      'APIGroupDiscoveryList',
    );
  });

  test('groups and versions that do not exist', async () => {
    const answers: Record<string, unknown> = {};
    for (const path of [
      '/apis/nope',
      '/apis/nope/v1',
      '/apis/apps/v9',
      '/api/v9',
      '/apis/conformance.example.com/v9',
      '/nope',
    ]) {
      const { code, contentType, body } = await server.session.get(path);
      answers[path] = { code, contentType, body };
    }
    await expect(asRecorded(answers)).toMatchFileSnapshot('../recorded/unknown-groups.yaml');
  });

  test('the version has the keys that clients compare', async () => {
    const { body } = await server.session.get('/version');
    expect(Object.keys(body)).toStrictEqual([
      'major',
      'minor',
      'emulationMajor',
      'emulationMinor',
      'minCompatibilityMajor',
      'minCompatibilityMinor',
      'gitVersion',
      'gitCommit',
      'gitTreeState',
      'buildDate',
      'goVersion',
      'compiler',
      'platform',
    ]);
    expect(body).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.3' });
  });

  test.each(['livez', 'readyz', 'healthz'])('/%s tells of its checks', async (page) => {
    const textOf = async (path: string) => {
      const { code, body } = await server.session.send('GET', path, { accept: '*/*' });
      return `${code} ${body}`;
    };
    await until(async () => (await textOf(`/${page}`)) === '200 ok');
    expect(await textOf(`/${page}/ping`)).toBe('200 ok');
    expect(await textOf(`/${page}/nope`)).toBe('404 404 page not found\n');
    const verbose = await textOf(`/${page}?verbose&exclude=etcd`);
    expect(verbose).toMatch(/^200 \[\+\]ping ok\n\[\+\]log ok\n/);
    expect(verbose).toContain('\n[+]etcd excluded: ok\n');
    expect(verbose).toContain('\n[+]poststarthook/crd-informer-synced ok\n');
    expect(verbose).toMatch(new RegExp(`\\n${page} check passed\\n$`));
    expect(verbose.includes('\n[+]shutdown ok\n')).toBe(page === 'readyz');
  });
});
