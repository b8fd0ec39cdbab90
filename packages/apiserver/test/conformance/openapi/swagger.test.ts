import { beforeAll, expect, test } from 'vitest';
import { crdOf, crdsPath, installCrd, until } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';

const open = { 'x-kubernetes-preserve-unknown-fields': true };
const text = { type: 'string' };
const spec: any = {
  text: { type: 'string', default: 'a', enum: ['a', 'b'], pattern: 'a|b', maxLength: 3 },
  maybe: { type: 'string', nullable: true },
  maybeList: { type: 'array', nullable: true, items: { type: 'object', properties: { x: text } } },
  maybeMap: { type: 'object', nullable: true, additionalProperties: text },
  mapOfMaybe: { type: 'object', required: ['q'], additionalProperties: { type: 'string', nullable: true } },
  mapOfMaps: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['i'],
      properties: { i: { type: 'integer', minimum: 0 } },
    },
  },
  port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, text] },
  any: { type: 'object', ...open, properties: { k: text } },
  anyList: { type: 'array', items: open },
  untyped: open,
  alternatives: {
    type: 'object',
    properties: { l: text },
    oneOf: [{ required: ['l'] }],
    not: { required: ['z'] },
    allOf: [{ properties: { l: { maxLength: 4 } } }],
  },
  template: { type: 'object', 'x-kubernetes-embedded-resource': true, ...open },
  closed: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { spec: { type: 'object', properties: { x: text } } },
  },
  map: {
    type: 'array',
    items: { type: 'object', required: ['name'], properties: { name: text } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
};

/** A definition without descriptions, in a fixed order. */
function bare(value: any): any {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== 'description' || typeof inner !== 'string')
      .map(([key, inner]): [string, unknown] => [
        key,
        key === 'required' && Array.isArray(inner)
          ? inner.map(String).toSorted((a, b) => (a < b ? -1 : 1))
          : bare(inner),
      ])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

onEachServer('OpenAPI 2', (server) => {
  const name = 'com.example.conformance.v1.Swaggered';
  beforeAll(async () => {
    const crd = crdOf('Swaggered', spec);
    const [version] = crd.spec.versions;
    version.schema.openAPIV3Schema.properties.spec.required = ['text', 'maybe'];
    version.selectableFields = [{ jsonPath: '.spec.text' }];
    const unchecked = { openAPIV3Schema: { type: 'object', ...open } };
    crd.spec.versions.push({ name: 'v2', served: true, storage: false, schema: unchecked });
    await installCrd(server.session, crd);
    await until(async () => (await definitions())[name.replace('v1', 'v2')] !== undefined);
  });

  const page = (sending?: object): Promise<Answer> => server.session.send('GET', '/openapi/v2', sending);
  const definitions = async (): Promise<any> => (await page()).body.definitions;

  test('the schemas of a definition', async () => {
    const all = await definitions();
    const names = [name, `${name}List`, name.replace('v1', 'v2')];
    const shown = Object.fromEntries(names.map((shownName) => [shownName, bare(all[shownName])]));
    await expect(asRecorded(shown)).toMatchFileSnapshot('../recorded/swagger-of-crd.yaml');
    const { properties } = all[name];
    expect(properties.apiVersion.description).toMatch(/^APIVersion defines /);
    expect(properties.metadata.description).toMatch(/^Standard object's metadata\./);
  });

  test('the schemas of built-in kinds', async () => {
    const all = await definitions();
    const names = [
      'io.k8s.api.apps.v1.Deployment',
      'io.k8s.api.apps.v1.DeploymentList',
      'io.k8s.api.apps.v1.RollingUpdateDeployment',
      'io.k8s.api.core.v1.Container',
      'io.k8s.api.core.v1.ContainerPort',
      'io.k8s.api.core.v1.ServiceSpec',
      'io.k8s.api.networking.v1.IngressSpec',
      'io.k8s.apimachinery.pkg.api.resource.Quantity',
      'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
      'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
      'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
      'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
      'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
    ];
    const shown = Object.fromEntries(names.map((shownName) => [shownName, bare(all[shownName])]));
    await expect(asRecorded(shown)).toMatchFileSnapshot('../recorded/swagger-of-built-in-kinds.yaml');
  });

  test('the patch operation states its kind, media types and parameters', async () => {
    const { body } = await page();
    expect(body.swagger).toBe('2.0');
    const objects = [
      '/api/v1/namespaces/{namespace}/configmaps/{name}',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}',
      '/apis/conformance.example.com/v1/namespaces/{namespace}/swaggereds/{name}',
    ];
    for (const path of objects) {
      const { patch } = body.paths[path];
      expect(patch['x-kubernetes-group-version-kind']).toMatchObject({ version: 'v1' });
      const parameters = patch.parameters.map((parameter: any) => parameter.name);
      expect(parameters).toStrictEqual(expect.arrayContaining(['dryRun', 'fieldValidation']));
      expect(patch.consumes).toContain('application/apply-patch+yaml');
      const isCustom = path.includes('example');
      expect(patch.consumes.includes('application/strategic-merge-patch+json')).toBe(!isCustom);
    }
  });

  test('the document is negotiated, and can be cached by its hash', async () => {
    const { code, contentType, headers } = await page();
    expect({ code, contentType }).toStrictEqual({ code: 200, contentType: 'application/json' });
    expect(headers.vary).toContain('Accept');
    expect(headers.etag).toMatch(/^"[0-9A-F]{128}"$/);
    expect((await page({ headers: { 'if-none-match': headers.etag } })).code).toBe(304);
    expect((await page({ headers: { 'if-none-match': '"12"' } })).code).toBe(200);
    for (const accept of ['text/plain', 'application/yaml']) {
      expect(await page({ accept })).toMatchObject({ code: 406, body: '' });
    }
    expect((await server.session.send('POST', '/openapi/v2')).code).toBe(200);
    expect((await server.session.get('/openapi/v2/x')).code).toBe(404);
    expect((await server.session.get('/openapi')).code).toBe(404);
  });

  test('a version that is no longer served is gone', async () => {
    const before = (await page()).headers.etag;
    const path = `${crdsPath}/swaggereds.conformance.example.com`;
    await server.session.jsonPatch(path, [{ op: 'replace', path: '/spec/versions/1/served', value: false }]);
    await until(async () => (await definitions())[name.replace('v1', 'v2')] === undefined);
    expect((await definitions())[name]).toBeDefined();
    expect((await page()).headers.etag).not.toBe(before);
    await server.session.delete(path);
    await until(async () => (await definitions())[name] === undefined);
  });
});
