import { describe, expect, test } from 'vitest';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { apiSource } from './api-source.ts';
import { generate } from './generate.ts';
import { virtualFiles } from './virtual-files.ts';

const crdPath = 'config/crd/bases/a.example.com_foos.yaml';

function crd(files: Readonly<Record<string, string>>): any {
  return generate(files)[crdPath]![0];
}

function errors(files: Readonly<Record<string, string>>): string[] {
  const { diagnostics } = generateManifests(virtualFiles(files));
  return diagnostics.map(({ file, message, hint }) => `${file}: ${message} (${hint})`);
}

describe('a CustomResourceDefinition', () => {
  test('of one kind', () => {
    const source = apiSource({
      members: 'status?: { phase?: string };',
      tags: [
        '@subresource status',
        '@shortName fo',
        '@shortName fu',
        '@category all',
        `@printcolumn {name: Phase, type: string, jsonPath: .status.phase, description: "Where it is, now", priority: 1}`,
        '@printcolumn name=Age type=date jsonPath=.metadata.creationTimestamp',
      ],
    });
    const { spec, ...rest } = crd({ 'src/api/v1/foo.ts': source });
    expect(rest).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'foos.a.example.com' },
    });
    const { versions, ...names } = spec;
    expect(names).toEqual({
      group: 'a.example.com',
      names: {
        kind: 'Foo',
        listKind: 'FooList',
        plural: 'foos',
        singular: 'foo',
        shortNames: ['fo', 'fu'],
        categories: ['all'],
      },
      scope: 'Namespaced',
    });
    const [{ schema: _, ...version }] = versions;
    expect(version).toEqual({
      name: 'v1',
      served: true,
      storage: true,
      subresources: { status: {} },
      additionalPrinterColumns: [
        {
          name: 'Phase',
          type: 'string',
          jsonPath: '.status.phase',
          description: 'Where it is, now',
          priority: 1,
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    });
  });

  test("in kubebuilder's spelling", () => {
    const source = apiSource({
      scope: 'Cluster',
      members: 'status?: { conditions?: Condition[] };',
      tags: [
        '+kubebuilder:object:root=true',
        '+kubebuilder:subresource:status',
        '+kubebuilder:resource:path=foos,singular=foot,scope=Cluster,shortName=fo;fu,categories={all,mine}',
        '+kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`',
        '+kubebuilder:printcolumn:name=Age,type="date",JSONPath=.metadata.creationTimestamp,priority=1',
        '+kubebuilder:deprecatedversion:warning="old, use v2"',
      ],
    });
    const { spec } = crd({ 'src/foo.ts': source });
    expect(spec.scope).toBe('Cluster');
    expect(spec.names).toMatchObject({
      singular: 'foot',
      shortNames: ['fo', 'fu'],
      categories: ['all', 'mine'],
    });
    expect(spec.versions[0]).toMatchObject({
      deprecated: true,
      deprecationWarning: 'old, use v2',
      subresources: { status: {} },
      additionalPrinterColumns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 1 },
      ],
    });
  });

  test('is found through aliased and namespace imports, parents and assertions', () => {
    const source = `
import * as ots from 'ots-runtime';
import type { KubernetesObject as Root } from 'ots-kubernetes';
interface Base extends Root { /** Shared. */ common?: string }
export interface Foo extends Base { apiVersion: 'a.example.com/v1'; kind: 'Foo'; spec: {} }
export const Foo = ots.defineKind<Foo>({ apiVersion: 'a.example.com/v1' as const, kind: \`Foo\`, plural: 'foos', scope: 'Namespaced' } ) satisfies object;
`;
    const { openAPIV3Schema } = crd({ 'src/foo.ts': source }).spec.versions[0].schema;
    expect(Object.keys(openAPIV3Schema.properties)).toEqual([
      'apiVersion',
      'common',
      'kind',
      'metadata',
      'spec',
    ]);
  });

  test('is not generated for kinds of other projects, test files and parents', () => {
    const parent = `import type { KubernetesObject } from 'ots-runtime'; export interface Base extends KubernetesObject { a: string }`;
    const files = generate({
      'src/external/b/v1/foo.ts': apiSource({ spec: 'x: Record<string, unknown>;' }),
      'src/foo.test.ts': apiSource(),
      'src/base.ts': parent,
    });
    expect(Object.keys(files)).toEqual(['config/rbac/role.yaml']);
  });
});

const v1 = (tags: string[] = []) => apiSource({ tags });
const v2 = (tags: string[] = ['@storageVersion']) =>
  apiSource({ version: 'v2', tags, spec: 'count?: int32;' });
const conversion =
  '/** Converts.\n * @conversion group=a.example.com kind=Foo\n */\nexport const conversion = {};';

describe('several versions', () => {
  test('form one CRD with a storage version', () => {
    const { spec } = crd({
      'src/api/v2/foo.ts': v2(),
      'src/api/v1/foo.ts': v1(['@unserved', '@shortName f', '@deprecated']),
    });
    expect(
      spec.versions.map(({ schema, ...version }: any) => [
        version,
        Object.keys(schema.openAPIV3Schema.properties.spec.properties),
      ]),
    ).toEqual([
      [{ name: 'v1', served: false, storage: false, deprecated: true }, ['size']],
      [{ name: 'v2', served: true, storage: true }, ['count']],
    ]);
    expect(spec.names.shortNames).toEqual(['f']);
    expect(spec.conversion).toEqual({ strategy: 'None' });
  });

  test("in kubebuilder's spelling", () => {
    const files = {
      'src/v1.ts': v1(['+kubebuilder:unservedversion']),
      'src/v2.ts': v2(['+kubebuilder:storageversion']),
    };
    expect(crd(files).spec.versions).toMatchObject([
      { name: 'v1', served: false, storage: false },
      { name: 'v2', served: true, storage: true },
    ]);
  });

  test('are converted by the webhook when there is a handler', () => {
    const { spec } = crd({ 'src/v1.ts': v1(), 'src/v2.ts': v2(), 'src/webhooks/foo.ts': conversion });
    expect(spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/convert' } },
        conversionReviewVersions: ['v1'],
      },
    });
  });

  test.each([
    ['none is stored', { a: v1(), b: v2([]) }, /none of the 2 versions of Foo is the storage version/],
    ['two are stored', { a: v1(['@storageVersion']), b: v2() }, /Foo has another storage version, v1/],
    [
      'none is served',
      { a: v1(['@unserved']), b: v2(['@storageVersion', '@unserved']) },
      /no version of Foo is served/,
    ],
    ['one is declared twice', { a: v1(), b: v1() }, /Foo a\.example\.com\/v1 is also declared in src\/a\.ts/],
    [
      'plurals differ',
      { a: v1(), b: v2().replace(`'foos'`, `'fooz'`) },
      /plural is fooz here and foos in version v1/,
    ],
    [
      'scopes differ',
      { a: v1(), b: v2().replace(`'Namespaced'`, `'Cluster'`) },
      /scope is Cluster here and Namespaced in version v1/,
    ],
    ['there is nothing to convert', { a: v1(), b: conversion }, /a\.example\.com\/Foo has only one version/],
    [
      'another kind is converted',
      { a: v1(), b: conversion.replace('=Foo', '=Fou') },
      /unknown kind a\.example\.com\/Fou.*did you mean a\.example\.com\/Foo\?/,
    ],
    [
      'the conversion has no arguments',
      { a: v1(), b: '/** @conversion */ export class C {}' },
      /group is missing/,
    ],
  ])('are refused when %s', (_, { a, b }, message) => {
    const found = errors({ 'src/a.ts': a, 'src/b.ts': b });
    expect(found.join('\n')).toMatch(message);
  });
});

const bar = (options: object) => apiSource({ kind: 'Bar', plural: 'bars', ...options });

describe('kinds that are refused', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['a plural that another kind has', { a: apiSource(), b: bar({ plural: 'foos' }) }, /share the name foos/],
    [
      'a short name that is the plural of another kind',
      { a: apiSource(), b: bar({ tags: ['@shortName foos'] }) },
      /share the name foos/,
    ],
    [
      'a kind that is the list of another',
      { a: apiSource(), b: bar({ kind: 'FooList' }) },
      /share the name FooList/,
    ],
    [
      'a group without a dot',
      { a: apiSource({ group: 'example' }) },
      /'example' is not the name of an API group/,
    ],
    ['a group in upper case', { a: apiSource({ group: 'A.example.com' }) }, /not the name of an API group/],
    ['a reserved group', { a: apiSource({ group: 'a.k8s.io' }) }, /reserved for Kubernetes/],
    ['no group', { a: apiSource().replaceAll('a.example.com/v1', 'v1') }, /'v1' is not group\/version/],
    [
      'a version that is not a name',
      { a: apiSource({ version: 'V1' }) },
      /'V1' is not the name of a version/,
    ],
    ['a plural that is not a name', { a: apiSource({ plural: 'Foos' }) }, /'Foos' is not a plural/],
    ['a kind that is too long', { a: apiSource({ kind: 'F'.repeat(60) }) }, /at most 59/],
    ['an unknown scope', { a: apiSource({ scope: 'Global' }) }, /scope cannot be 'Global'/],
    [
      'no defineKind',
      { a: apiSource().replace('export const Foo = defineKind', 'export const Foo = other') },
      /no defineKind call in this file.*plural: '…'/,
    ],
    [
      'a defineKind of another version',
      { a: apiSource().replace(`({ apiVersion: 'a.example.com/v1'`, `({ apiVersion: 'a.example.com/v2'`) },
      /apiVersion is 'a.example.com\/v2' here and 'a.example.com\/v1' in the interface/,
    ],
    [
      'a defineKind with a computed plural',
      { a: apiSource().replace(`plural: 'foos'`, 'plural: names.foo') },
      /plural is not a string literal/,
    ],
    ['a defineKind without plural', { a: apiSource().replace(`plural: 'foos',`, '') }, /does not set plural/],
    [
      'a defineKind without its interface',
      { a: apiSource().replace('defineKind<Foo>', 'defineKind') },
      /does not name its interface/,
    ],
    [
      'a defineKind of a spec',
      { a: apiSource().replace('defineKind<Foo>', 'defineKind<FooSpec>') },
      /FooSpec is not an interface in this file that extends KubernetesObject/,
    ],
    [
      'no literal kind',
      { a: apiSource().replace(`kind: 'Foo';`, 'kind: string;') },
      /Foo does not declare its kind.*kind: 'Foo'/,
    ],
    [
      'no literal apiVersion',
      { a: apiSource().replace(`apiVersion: 'a.example.com/v1';`, '') },
      /Foo does not declare its apiVersion/,
    ],
    [
      'a status subresource without status',
      { a: apiSource({ tags: ['@subresource status'] }) },
      /needs a property status in Foo/,
    ],
    ['another subresource', { a: apiSource({ tags: ['@subresource state'] }) }, /cannot be 'state'/],
    ['a flag with a value', { a: apiSource({ tags: ['@storageVersion yes'] }) }, /takes no value/],
    ['a flag twice', { a: apiSource({ tags: ['@storageVersion', '@storageVersion'] }) }, /duplicate/],
    ['an invalid short name', { a: apiSource({ tags: ['@shortName Fo'] }) }, /cannot be 'Fo'/],
    ['a short name without a name', { a: apiSource({ tags: ['@shortName'] }) }, /needs a name/],
    [
      'a resource that contradicts defineKind',
      { a: apiSource({ tags: ['+kubebuilder:resource:path=fooz'] }) },
      /plural is fooz here and foos in the defineKind call/,
    ],
    [
      'a column without type',
      { a: apiSource({ tags: ['@printcolumn name=A jsonPath=.spec.size'] }) },
      /@printcolumn: type is missing/,
    ],
    [
      'a column of another type',
      { a: apiSource({ tags: ['@printcolumn name=A type=text jsonPath=.spec.size'] }) },
      /type cannot be text; it is one of boolean, date/,
    ],
    [
      'a column with an unknown argument',
      { a: apiSource({ tags: ['@printcolumn name=A type=string jsonpat=.spec.size'] }) },
      /unknown argument jsonpat.*did you mean jsonPath\?/,
    ],
    [
      'a column twice named',
      { a: apiSource({ tags: ['@printcolumn name=A name=B type=string jsonPath=.spec.size'] }) },
      /duplicate name/,
    ],
    [
      'a column for a missing field',
      { a: apiSource({ tags: ['@printcolumn name=A type=string jsonPath=.spec.siez'] }) },
      /leads to \.spec\.siez, which the schema does not have/,
    ],
    [
      'a path without a dot',
      { a: apiSource({ tags: ['@printcolumn name=A type=string jsonPath=spec.size'] }) },
      /must start with a dot/,
    ],
    [
      'a path with an open bracket',
      { a: apiSource({ tags: ['@printcolumn name=A type=string jsonPath=.spec.size[0'] }) },
      /unclosed brackets/,
    ],
    [
      'a column that is not YAML',
      { a: apiSource({ tags: ['@printcolumn {name: A, type: string'] }) },
      /@printcolumn: /,
    ],
    [
      'a column of lists',
      { a: apiSource({ tags: ['@printcolumn {name: {a: b}, type: string, jsonPath: .spec.size}'] }) },
      /takes a plain value/,
    ],
    ['a column in prose', { a: apiSource({ tags: ['@printcolumn Ready'] }) }, /expected key=value/],
    [
      'a deprecation that is too long',
      { a: apiSource({ tags: [`@deprecated ${'é'.repeat(129)}`] }) },
      /longer than 256 bytes/,
    ],
    [
      'a misspelled tag',
      { a: apiSource({ tags: ['@storageversoin'] }) },
      /unknown tag @storageversoin.*@storageVersion/,
    ],
  ])('%s', (_, files, message) => {
    const found = errors(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`src/${name}.ts`, text])),
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });
});

describe('generated files', () => {
  test('begin with a header and do not depend on the order of the sources', () => {
    const files = { 'src/b.ts': apiSource({ kind: 'Bar', plural: 'bars' }), 'src/a.ts': apiSource() };
    const forward = generateManifests(virtualFiles(files)).files;
    const backward = generateManifests(
      virtualFiles(Object.fromEntries(Object.entries(files).toReversed())),
    ).files;
    expect([...forward]).toEqual([...backward]);
    expect(forward.get(crdPath)).toMatch(
      /^# Generated by `ots manifests` .*\n---\napiVersion: apiextensions\.k8s\.io\/v1\n/,
    );
  });

  test('without a source are reported, except hand-written ones', () => {
    const { files } = generateManifests(virtualFiles({ 'src/a.ts': apiSource() }));
    const old = files.get(crdPath)!;
    const result = generateManifests(
      virtualFiles({
        'src/a.ts': apiSource({ plural: 'fooz' }),
        [crdPath]: old,
        'config/crd/bases/by-hand.yaml': 'kind: CustomResourceDefinition\n',
        'config/webhook/manifests.yaml': old,
      }),
    );
    expect(result.orphans).toEqual([crdPath, 'config/webhook/manifests.yaml']);
  });
});
