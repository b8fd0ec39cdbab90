import { beforeAll, expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, until } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const spec: any = {
  text: { type: 'string', description: 'Some text.', enum: ['a', 'b'], default: 'a' },
  port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  map: {
    type: 'array',
    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  maybe: { type: 'string', nullable: true },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  template: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
};

/** A schema without the texts that each server adds. */
function withoutTexts(value: any): any {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, text]) => key !== 'description' || text === 'Some text.',
  );
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, withoutTexts(inner)]).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

onEachServer('OpenAPI', (server) => {
  const path = 'apis/conformance.example.com/v1';
  beforeAll(async () => {
    const crd = crdOf('Described', spec);
    crd.spec.versions[0].selectableFields = [{ jsonPath: '.spec.text' }];
    await installCrd(server.session, crd);
    await until(async () => (await indexOf())[path] !== undefined);
  });

  async function indexOf(): Promise<any> {
    const { body, contentType } = await server.session.get('/openapi/v3');
    expect(contentType).toBe('text/plain; charset=utf-8');
    return JSON.parse(body).paths;
  }

  test('the schema of a definition is published', async () => {
    const { body, contentType } = await server.session.get(`/openapi/v3/${path}`);
    expect(contentType).toBe('application/json');
    expect(body.openapi).toBe('3.0.0');
    const { schemas } = body.components;
    const shown = {
      object: withoutTexts(schemas['com.example.conformance.v1.Described']),
      list: withoutTexts(schemas['com.example.conformance.v1.DescribedList'].properties),
    };
    await expect(asRecorded(shown)).toMatchFileSnapshot('../recorded/openapi-of-crd.yaml');
    expect(Object.keys(schemas['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'].properties)).toContain(
      'ownerReferences',
    );
  });

  test.each([
    ['api/v1', 'io.k8s.api.core.v1.ServiceSpec'],
    ['api/v1', 'io.k8s.api.core.v1.ContainerPort'],
    ['apis/apps/v1', 'io.k8s.api.apps.v1.Deployment'],
    ['apis/apps/v1', 'io.k8s.api.apps.v1.DeploymentSpec'],
    ['apis/apps/v1', 'io.k8s.api.core.v1.Container'],
    ['apis/rbac.authorization.k8s.io/v1', 'io.k8s.api.rbac.v1.Role'],
  ])('%s holds %s', async (groupVersion, name) => {
    const { body } = await server.session.get(`/openapi/v3/${groupVersion}`);
    const file = `../recorded/openapi/${name}.yaml`;
    await expect(asRecorded(withoutTexts(body.components.schemas[name]))).toMatchFileSnapshot(file);
  });

  test('the patch operation states its kind, media types and parameters', async () => {
    const paths = {
      'api/v1': '/api/v1/namespaces/{namespace}/configmaps/{name}',
      'apis/rbac.authorization.k8s.io/v1': '/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}',
      [path]: `/${path}/namespaces/{namespace}/describeds/{name}`,
    };
    for (const [groupVersion, objects] of Object.entries(paths)) {
      const { body } = await server.session.get(`/openapi/v3/${groupVersion}`);
      const { patch } = body.paths[objects];
      expect(patch['x-kubernetes-group-version-kind']).toMatchObject({ version: 'v1' });
      expect(patch.parameters.map(({ name }: any) => name)).toStrictEqual(
        expect.arrayContaining(['dryRun', 'fieldManager', 'fieldValidation', 'force']),
      );
      const types = Object.keys(patch.requestBody.content);
      expect(types).toContain('application/apply-patch+yaml');
      expect(types.includes('application/strategic-merge-patch+json')).toBe(groupVersion !== path);
    }
  });

  test('a document can be cached by its hash', async () => {
    const { serverRelativeURL: url } = (await indexOf())['apis/apps/v1'];
    const { code, headers } = await server.session.get(url);
    expect(code).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'public, immutable', vary: 'Accept' });
    expect(headers.etag).toBe(`"${url.split('hash=')[1]}"`);
    const known = await server.session.send('GET', url, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect(known.code).toBe(304);
    const other = await server.session.get('/openapi/v3/apis/apps/v1?hash=12');
    expect(other.code).toBe(301);
    expect(other.headers.location).toBe(url);
    expect((await server.session.get('/openapi/v3/apis/apps/v1')).headers['cache-control']).toBe(
      'no-cache, private',
    );
    expect((await server.session.send('GET', url, { accept: 'text/plain' })).code).toBe(406);
  });

  test('a new definition changes the hash, and a deleted one is not published', async () => {
    const before = await indexOf();
    await installCrd(server.session, crdOf('Brief', { text: { type: 'string' } }));
    await until(async () => (await indexOf())[path].serverRelativeURL !== before[path].serverRelativeURL);
    expect((await indexOf())['api/v1']).toStrictEqual(before['api/v1']);
    await server.session.delete(`${crdsPath}/briefs.conformance.example.com`);
    await server.session.delete(`${crdsPath}/describeds.conformance.example.com`);
    await until(async () => (await indexOf())[path] === undefined);
    expect((await server.session.get(`/openapi/v3/${path}`)).code).toBe(404);
  });
});
