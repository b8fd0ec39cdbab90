import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../src/manifests/diagnostics/format-diagnostic.ts';
import { Diagnostics } from '../../src/manifests/diagnostics/diagnostics.ts';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { ModuleGraph } from '../../src/manifests/source/module-graph.ts';
import { originKey } from '../../src/manifests/schema/origin.ts';
import type { Origin } from '../../src/manifests/schema/origin.ts';
import type { Schema } from '../../src/manifests/schema/schema.ts';
import { TypeEvaluator } from '../../src/manifests/types/type-evaluator.ts';
import { apiSource } from './api-source.ts';
import { generate } from './generate.ts';
import { virtualFiles } from './virtual-files.ts';

const crdPath = 'config/crd/bases/a.example.com_foos.yaml';
type Files = Readonly<Record<string, string>>;

function rootSchema(files: Files): any {
  return generate(files)[crdPath]![0].spec.versions[0].schema.openAPIV3Schema;
}

function errors(files: Files): string[] {
  return generateManifests(virtualFiles(files)).diagnostics.map(
    ({ file, line, message }) => `${file}:${line}: ${message}`,
  );
}

test.each(['PlanStatus', 'StepStatus'])('%s of ots-runtime has the schema of its declaration', (name) => {
  const declared = readFileSync('packages/runtime/src/workflow/plan-status.ts', 'utf8');
  const spec = (module: string): unknown => {
    const imports = `import type { ${name} } from '${module}';`;
    const files = {
      'src/plan-status.ts': declared,
      'src/foo.ts': apiSource({ imports, spec: `x: ${name};` }),
    };
    return rootSchema(files).properties.spec;
  };
  expect(spec('ots-runtime')).toEqual(spec('./plan-status.ts'));
});

describe('types of other files', () => {
  const shared = {
    'src/shared/levels.ts': `
      export const LEVELS = ['low', 'high'] as const;
      export const NAMES = { Low: LEVELS[0], High: 'high' };
      export enum Size { Small = 's', Large = 'l' }
      export default interface Whole { whole: string }`,
    'src/shared/box.ts': `import type { int32 } from 'ots-kubernetes';
      import type { Inner as In } from './inner.ts';
      export interface Box<T, U = In<int32>> { value: T; inner?: U }
      interface Hidden { a: string }
      export type { Hidden as Shown };`,
    'src/shared/inner.ts': `import type { Box } from './box.ts';
      export type Inner<T> = T[];
      export type Boxed = Box<string>;`,
    'src/shared/index.ts': `export * as boxes from './box.ts'; export { LEVELS as ALL, Size } from './levels.ts';
      export type { default as Whole } from './levels.ts'; export type { ObjectMeta as Meta } from 'ots-kubernetes';`,
  };
  const string = { type: 'string' };
  const list = { type: 'array', items: { type: 'integer', format: 'int32' } };
  const box = { type: 'object', required: ['value'], properties: { value: string, inner: list } };

  test.each([
    ['a const', `import { LEVELS } from './shared/levels.ts';`, '(typeof LEVELS)[number]', ['low', 'high']],
    ['a const by another name', `import { ALL } from './shared';`, '(typeof ALL)[number]', ['low', 'high']],
    ['a const of a namespace', `import * as l from './shared/levels.ts';`, 'typeof l.LEVELS[1]', ['high']],
    ['an enum', `import { Size } from './shared';`, 'Size', ['s', 'l']],
    ['a member of an enum', `import * as all from './shared';`, 'all.Size.Large', ['l']],
    ['the names of an enum', `import { Size } from './shared';`, 'keyof typeof Size', ['Small', 'Large']],
    ['import()', '', `import('./shared/levels.ts').Size.Small`, ['s']],
  ])('%s', (_, imports, type, values) => {
    const schema = rootSchema({ ...shared, 'src/foo.ts': apiSource({ imports, spec: `x: ${type};` }) });
    expect(schema.properties.spec.properties.x).toEqual({ type: 'string', enum: values });
  });

  test.each([
    [
      'a generic type with a default of another file',
      `import type { Box } from './shared/box.ts';`,
      'Box<string>',
      box,
    ],
    [
      'an alias with arguments, in a circle of imports',
      `import type { Boxed } from './shared/inner.ts';`,
      'Boxed',
      box,
    ],
    ['export * as', `import { boxes } from './shared';`, 'boxes.Box<string>', box],
    ['import() with type arguments', '', `import('./shared').boxes.Box<string>`, box],
    [
      'an export by another name',
      `import type { Shown as S } from './shared/box.ts';`,
      'S',
      { type: 'object', required: ['a'], properties: { a: string } },
    ],
    [
      'a default export that is re-exported',
      `import type { Whole } from './shared';`,
      'Whole',
      { type: 'object', required: ['whole'], properties: { whole: string } },
    ],
    [
      'a type of a package that is re-exported',
      `import type { Meta } from './shared';`,
      `Pick<Meta, 'name'>`,
      { type: 'object', properties: { name: string } },
    ],
  ])('%s', (_, imports, type, expected) => {
    const schema = rootSchema({ ...shared, 'src/foo.ts': apiSource({ imports, spec: `x: ${type};` }) });
    expect(schema.properties.spec.properties.x).toEqual(expected);
  });

  test('errors are shown at the type and name the place of its use', () => {
    const files = {
      ...shared,
      'src/base.ts':
        'export interface Base {\n  size: string;\n}\nexport const LOOSE = [1];\ninterface Private { a: string }',
      'src/foo.ts': apiSource({
        imports: `import type { Base, Private, Bse } from './base.ts'; import { LOOSE } from './base.ts';`,
        types: 'interface Other { size: boolean }\ninterface Both extends Base, Other {}',
        spec: 'a: Both;\nb: Private;\nc: Bse;\nd: typeof LOOSE;',
      }),
    };
    expect(generateManifests(virtualFiles(files)).diagnostics.map(formatDiagnostic)).toEqual([
      'src/base.ts:4:22: the values of LOOSE are not part of its type\n' +
        '  4 | export const LOOSE = [1];\n    |                      ^^^\n' +
        '  hint: write as const behind the value of LOOSE',
      'src/foo.ts:5:19: size is declared differently at src/base.ts:2:3\n' +
        '  5 | interface Other { size: boolean }\n    |                   ^^^^\n' +
        '  hint: declare it once, or the same everywhere',
      'src/foo.ts:9:4: src/base.ts does not export Private\n' +
        '  9 | b: Private;\n    |    ^^^^^^^\n' +
        '  hint: write export before the declaration of Private',
      'src/foo.ts:10:4: src/base.ts does not export Bse\n' +
        '  10 | c: Bse;\n     |    ^^^\n' +
        '  hint: did you mean Base?',
    ]);
  });
});

describe('a kind', () => {
  test('whose parents are generic, and that takes its spec from an alias', () => {
    const source = apiSource({
      types: `/** @minProperties 3 */ interface Base<Spec, Status = { ready: boolean }> extends KubernetesObject { spec: Spec; status?: Status }
        type Settings = { size: int32 } & Partial<{ name: string }>;`,
    })
      .replace('extends KubernetesObject {\n  api', 'extends Base<Settings> {\n  api')
      .replace('  spec: FooSpec;\n', '');
    expect(rootSchema({ 'src/foo.ts': source })).toEqual({
      type: 'object',
      description: 'A Foo.',
      minProperties: 3,
      required: ['spec'],
      properties: {
        apiVersion: expect.objectContaining({ type: 'string' }),
        kind: expect.objectContaining({ type: 'string' }),
        metadata: { type: 'object' },
        spec: {
          type: 'object',
          required: ['size'],
          properties: { size: { type: 'integer', format: 'int32' }, name: { type: 'string' } },
        },
        status: { type: 'object', required: ['ready'], properties: { ready: { type: 'boolean' } } },
      },
    });
  });

  test('in several parts', () => {
    const types = 'export interface Foo { status?: { phase: string } }';
    const source = apiSource({}).replace('export const Foo', `${types}\nexport const Foo`);
    expect(Object.keys(rootSchema({ 'src/foo.ts': source }).properties)).toContain('status');
  });

  test('can share its parts with other types', () => {
    const source = apiSource({
      types: `interface Bar extends KubernetesObject { spec: { a: string } } interface Template { metadata?: ObjectMeta; bar: Bar['spec'] }`,
      spec: `x: Template; y: Pick<Bar, 'spec'>;`,
    });
    const { x, y } = rootSchema({ 'src/foo.ts': source }).properties.spec.properties;
    const part = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    expect(x.properties.bar).toEqual(part);
    expect(y).toEqual({ type: 'object', required: ['spec'], properties: { spec: part } });
  });

  test('is refused when its parent gets type arguments', () => {
    const source = apiSource({}).replace('KubernetesObject {\n', 'KubernetesObject<FooSpec> {\n');
    expect(errors({ 'src/foo.ts': source })).toEqual([
      expect.stringMatching(/KubernetesObject takes no type arguments/),
    ]);
  });

  test('that is generic itself is refused', () => {
    const source = apiSource({}).replace('interface Foo extends', 'interface Foo<T> extends');
    expect(errors({ 'src/foo.ts': source })).toEqual([
      expect.stringMatching(/Foo takes 1 type argument, not 0/),
    ]);
  });
});

describe('tags', () => {
  test('on omitted properties are not reported as unused', () => {
    const types = `/** @minProperties 1 */ interface Part { /** @minLength 1 */ a: string; b: { /** @minLength 2 */ c: string }; d: { /** @minLength 3 */ e: string } }`;
    const spec = `x: Omit<Part, 'b'>; y: Part['a']; z: keyof Part; w: { [K in keyof Part]: boolean };`;
    const only = (type: string) => errors({ 'src/foo.ts': apiSource({ types, spec: `x: ${type};` }) });
    expect(errors({ 'src/foo.ts': apiSource({ types, spec }) })).toEqual([]);
    for (const type of [
      `Omit<Part, 'b'>`,
      `Pick<Part, 'a'>`,
      `Part['a']`,
      'keyof Part',
      '{ [K in keyof Part]: boolean }',
    ])
      expect(only(type)).toEqual([]);
  });

  test('of a property that a child declares again are replaced', () => {
    const types =
      'interface A { /** @minLength 1 */ a: string } interface B extends A { /** @maxLength 2 */ a: string }';
    const { x } = rootSchema({ 'src/foo.ts': apiSource({ types, spec: 'x: B;' }) }).properties.spec
      .properties;
    expect(x.properties.a).toEqual({ type: 'string', maxLength: 2 });
  });

  test('on refused types are not reported as unused', () => {
    const types =
      '/** @pattern ^a */ type A = number; /** @minProperties 1 */ interface B { /** @minimum 1 */ a: A; b(): void }';
    expect(errors({ 'src/foo.ts': apiSource({ types, spec: 'x: B;' }) })).toEqual([
      expect.stringMatching(/number does not say/),
      expect.stringMatching(/only have properties/),
    ]);
  });
});

test('the use of a declared type does not change it', () => {
  const types = '/** A part. */ interface Part { /** @minLength 1 */ a: string }';
  const spec = `plain: Part; /** Mine. @maxProperties 1 */ tagged: Part; partial: Partial<Part>; none: Part | null; both: Part & { a: 'x' }`;
  const { properties } = rootSchema({ 'src/foo.ts': apiSource({ types, spec }) }).properties.spec;
  const part = { type: 'object', properties: { a: { type: 'string', minLength: 1 } } };
  expect(properties).toEqual({
    plain: { ...part, description: 'A part.', required: ['a'] },
    tagged: { ...part, description: 'Mine.', required: ['a'], maxProperties: 1 },
    partial: { ...part, description: 'A part.' },
    none: { ...part, description: 'A part.', required: ['a'], nullable: true },
    both: { ...part, required: ['a'], properties: { a: { type: 'string', minLength: 1, enum: ['x'] } } },
  });
});

describe('the origin of a schema', () => {
  function evaluate(files: Files): Schema {
    const diagnostics = new Diagnostics();
    const graph = new ModuleGraph(virtualFiles(files), diagnostics);
    const module = graph.load('src/foo.ts')!;
    const declaration = module.types.get('Foo')!;
    const schema = new TypeEvaluator(graph, diagnostics).evaluateKind(declaration);
    expect(diagnostics.sorted()).toEqual([]);
    return schema!;
  }
  const written = (origin: Origin | undefined) =>
    origin && `${origin.source.path} ${origin.source.text.slice(origin.span.start, origin.span.end)}`;

  test('is the name of the property or of the declared type', () => {
    const root = evaluate({
      'src/part.ts': 'export interface Part { name: string; "quoted-name"?: string }',
      'src/foo.ts': apiSource({
        imports: `import type { Part } from './part.ts';`,
        types: 'type Name = string;',
        spec: `one: Part; some: Part[]; map: Record<string, Name>; less: Partial<Part>; many: Part['name'][];
          either: { type: 'a'; a: string } | { type: 'b'; b: string };`,
      }),
    });
    expect(written(root[originKey])).toBe('src/foo.ts Foo');
    const spec = root.properties!.get('spec')!;
    expect(written(spec[originKey])).toBe('src/foo.ts spec');
    const property = (name: string) => spec.properties!.get(name)!;
    expect(written(property('one')[originKey])).toBe('src/foo.ts one');
    expect(written(property('one').properties!.get('quoted-name')![originKey])).toBe(
      'src/part.ts "quoted-name"',
    );
    expect(written(property('some')[originKey])).toBe('src/foo.ts some');
    expect(written(property('some').items![originKey])).toBe('src/part.ts Part');
    expect(written(property('map').additionalProperties![originKey])).toBe('src/foo.ts Name');
    expect(written(property('less').properties!.get('name')![originKey])).toBe('src/part.ts name');
    const [rule] = property('either')['x-kubernetes-validations']!;
    expect(written(rule![originKey])).toBe(`src/foo.ts { type: 'a'; a: string } | { type: 'b'; b: string }`);
    expect(rule![originKey]!.spanOf('rule')).toEqual(rule![originKey]!.span);
  });
});
