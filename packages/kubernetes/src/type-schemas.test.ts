import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingTypeSchema, typeSchema, typeSchemaModules, typeSchemaNames } from './type-schemas.ts';
import type { TypeSchema } from './type-schemas.ts';

const source = new URL('.', import.meta.url);
const modules = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((path) => /^(\w+\/v\w+)\.ts$/.exec(path)?.[1])
  .filter((module) => module !== undefined);

const exportsOf = (module: string) =>
  Array.from(
    readFileSync(new URL(`${module}.ts`, source), 'utf8').matchAll(/^export (?:interface|type) (\w+)/gm),
    ([, name]) => name!,
  );

/** The nested schemas of a schema, including itself. */
function* parts(schema: TypeSchema, path: string): Generator<[path: string, schema: TypeSchema]> {
  yield [path, schema];
  if (schema.items) yield* parts(schema.items, `${path}[]`);
  if (schema.additionalProperties) yield* parts(schema.additionalProperties, `${path}{}`);
  for (const [name, property] of schema.properties ?? []) yield* parts(property, `${path}.${name}`);
}

const at = (schema: TypeSchema | undefined, path: string) =>
  new Map(parts(schema!, '')).get(path) ?? expect.fail(`there is no ${path}`);

test('every type of every module has a schema, or a reason why not', () => {
  expect(typeSchemaModules().toSorted()).toEqual(['.', ...modules].toSorted());
  for (const module of modules) {
    for (const name of exportsOf(module)) {
      const answers = [typeSchema(module, name), missingTypeSchema(module, name)];
      expect([name, answers.filter((answer) => answer !== undefined).length]).toEqual([name, 1]);
    }
    expect(exportsOf(module)).toEqual(expect.arrayContaining([...typeSchemaNames(module)]));
  }
});

test('reasons why types have no schema', () => {
  const of = (module: string) =>
    exportsOf(module)
      .filter((name) => missingTypeSchema(module, name))
      .map((name) => [`${module} ${name}`, missingTypeSchema(module, name)]);
  expect(Object.fromEntries(modules.flatMap(of))).toMatchInlineSnapshot(`
    {
      "apiextensions/v1 CustomResourceDefinition": "it contains itself",
      "apiextensions/v1 CustomResourceDefinitionSpec": "it contains itself",
      "apiextensions/v1 CustomResourceDefinitionVersion": "it contains itself",
      "apiextensions/v1 CustomResourceValidation": "it contains itself",
      "apiextensions/v1 JSONSchemaProps": "it contains itself",
      "apiregistration/v1 APIService": "controller-gen refuses it: must apply listType to an array, found string",
      "apiregistration/v1 APIServiceSpec": "controller-gen refuses it: must apply listType to an array, found string",
      "core/v1 ServiceAccount": "the items of its list secrets may lack their key name",
      "flowcontrol/v1 FlowSchema": "the items of its list conditions may lack their key type",
      "flowcontrol/v1 FlowSchemaStatus": "the items of its list conditions may lack their key type",
      "flowcontrol/v1 PriorityLevelConfiguration": "the items of its list conditions may lack their key type",
      "flowcontrol/v1 PriorityLevelConfigurationStatus": "the items of its list conditions may lack their key type",
      "resource/v1 ResourceClaim": "the items of its list devices may lack their key shareID",
      "resource/v1 ResourceClaimStatus": "the items of its list devices may lack their key shareID",
    }
  `);
});

test('other names have neither', () => {
  for (const [module, name] of [
    ['core/v1', 'Pot'],
    ['core/v1', 'toString'],
    ['core/v1', '__proto__'],
    ['core/v2', 'Pod'],
    ['constructor', 'name'],
    ['__proto__', 'toString'],
  ] as const) {
    expect(typeSchema(module, name)).toBeUndefined();
    expect(missingTypeSchema(module, name)).toBeUndefined();
    if (module !== 'core/v1') expect(typeSchemaNames(module)).toEqual([]);
  }
});

test('a schema that occurs in several places is one object', () => {
  const selector = typeSchema('meta/v1', 'LabelSelector')!;
  expect(typeSchema('meta/v1', 'LabelSelector')).toBe(selector);
  expect(at(typeSchema('apps/v1', 'DeploymentSpec'), '.selector')).toBe(selector);
});

test('a pod has what its OpenAPI does not contain', () => {
  const pod = typeSchema('core/v1', 'Pod');
  const ports = '.spec.containers[].ports';
  expect(at(pod, ports)).toMatchObject({
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
  });
  expect(at(pod, `${ports}[].protocol`)).toEqual({ type: 'string', default: 'TCP' });
  expect(at(pod, `${ports}[].containerPort`)).toEqual({ type: 'integer', format: 'int32' });
  expect(at(pod, '.spec.containers[].livenessProbe.httpGet.port')).toEqual({
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
  });
  expect(at(pod, '.spec.containers[].resources.limits{}').pattern).toMatch(/^\^.*\$$/);
  expect(at(pod, '.spec').required).toEqual(['containers']);
  // Without properties an API server would prune the labels of a template.
  expect([...at(pod, '.metadata').properties!.keys()]).toEqual([
    'annotations',
    'finalizers',
    'labels',
    'name',
    'namespace',
  ]);
});

test('an API server accepts every schema', () => {
  const names = typeSchemaModules().flatMap((module) =>
    typeSchemaNames(module).map((name) => [module, name]),
  );
  expect(names.length).toBeGreaterThan(490);
  for (const [module, name] of names) {
    for (const [path, schema] of parts(typeSchema(module!, name!)!, `${module} ${name} `)) {
      const { items, properties, required = [], type } = schema;
      expect([path, type ?? schema['x-kubernetes-int-or-string']]).not.toEqual([path, undefined]);
      expect([path, Boolean(items)]).toEqual([path, type === 'array']);
      for (const key of required) expect([path, properties?.has(key)]).toEqual([path, true]);
      for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
        const isKept = items!.required?.includes(key) || items!.properties!.get(key)!.default !== undefined;
        expect([path, key, isKept]).toEqual([path, key, true]);
      }
    }
  }
});
