import { typeSchema, typeSchemaModules, typeSchemaNames } from 'ots-kubernetes/type-schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schemaToJson } from '../../src/manifests/schema/schema-json.ts';
import { apiSource } from './api-source.ts';
import { typescriptOf } from './controller-gen/combination.ts';
import { combinations } from './controller-gen/combinations.ts';
import { managerTwin, twins } from './controller-gen/twins.ts';
import { generate } from './generate.ts';
import { crdsPath, RealServer, hasRealServer } from './real-server.ts';

// What a real API server says about the APIs that are compared with controller-gen, and about all types of Kubernetes.
const isReal = hasRealServer('the twins of Go APIs');

const rbacPath = '/apis/rbac.authorization.k8s.io/v1';
const admissionPath = '/apis/admissionregistration.k8s.io/v1';

const cases = combinations.map((combination) => ({
  name: combination.name,
  file: 'a.example.com_foos.yaml',
  typescript: { 'src/foo.ts': typescriptOf(combination, 'a.example.com') },
}));

describe.skipIf(!isReal)('a real kube-apiserver accepts', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await RealServer.start();
  }, 120_000);
  afterAll(() => server.stop());

  test.each([...cases, ...twins.map((twin) => ({ name: twin.file, ...twin }))])(
    '$name',
    async ({ file, typescript }) => {
      const [crd] = generate(typescript)[`config/crd/bases/${file}`]!;
      expect(await server.verdict(crdsPath, crd)).toBe('accepted');
    },
  );

  test('roles', async () => {
    for (const role of generate(managerTwin)['config/rbac/role.yaml']!) {
      const { namespace, ...metadata } = role.metadata;
      const path = namespace ? `${rbacPath}/namespaces/default/roles` : `${rbacPath}/clusterroles`;
      expect(await server.verdict(path, { ...role, metadata })).toBe('accepted');
    }
  });

  test('webhook configurations', async () => {
    for (const configuration of generate(managerTwin)['config/webhook/manifests.yaml']!) {
      const path = `${admissionPath}/${configuration.kind.toLowerCase()}s`;
      expect(await server.verdict(path, configuration)).toBe('accepted');
    }
  });

  test.each(typeSchemaModules())(
    'every type of %s',
    async (module) => {
      const [crd] = generate({ 'src/foo.ts': apiSource() })['config/crd/bases/a.example.com_foos.yaml']!;
      const toJson = schemaToJson();
      for (const name of typeSchemaNames(module)) {
        const schema = toJson(typeSchema(module, name)!);
        const { properties } = crd.spec.versions[0].schema.openAPIV3Schema.properties.spec;
        Object.assign(properties, { x: schema, y: { type: 'array', items: schema } });
        expect([name, await server.verdict(crdsPath, crd)]).toEqual([name, 'accepted']);
      }
    },
    60_000,
  );
});
