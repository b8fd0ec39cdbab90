import * as fc from 'fast-check';
import { PatternError, matchesPattern } from 'ots-cel';
import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../src/manifests/diagnostics/format-diagnostic.ts';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { acceptedSchemas } from './accepted-schemas.ts';
import { apiSource } from './api-source.ts';
import { refusedSpecs } from './refused-specs.ts';
import { virtualFiles } from './virtual-files.ts';
import { unicodeCharacter } from '../support/unicode-character.ts';
import { propertyRuns } from '../support/property-runs.ts';

/** The printed errors of a run, after checking what holds for every input: either files or errors that name a place. */
function run(files: Readonly<Record<string, string>>): string[] {
  const { diagnostics, files: generated } = generateManifests(virtualFiles(files));
  if ((generated.size === 0) !== diagnostics.length > 0) throw new Error('neither files nor errors, or both');
  const misplaced = diagnostics.find(
    ({ line, column, length, sourceLine }) =>
      line < 1 || column < 1 || length < 1 || column - 1 > sourceLine.length,
  );
  if (misplaced) throw new Error(`an error without a place: ${JSON.stringify(misplaced)}`);
  return diagnostics.map(formatDiagnostic);
}

/** Why a property does not hold, with the smallest counterexample; undefined when it does. */
function counterexample<T>(property: fc.IProperty<T>, numRuns: number): string | undefined {
  const result = fc.check(property, { numRuns });
  return result.failed ? fc.defaultReportMessage(result) : undefined;
}

function isJudged(pattern: string, text: string): boolean {
  try {
    return typeof matchesPattern(pattern, text) === 'boolean';
  } catch (error) {
    return error instanceof PatternError;
  }
}

const corpus = [...acceptedSchemas, ...refusedSpecs].map(({ spec, types = '' }) =>
  apiSource({
    spec,
    types,
    members: 'status?: { conditions?: Condition[] };',
    tags: [
      '@subresource status',
      `@printcolumn {name: A, type: string, jsonPath: '.status.conditions[?(@.type=="A")]'}`,
    ],
  }),
);
const fragments = [
  ...Array.from('{}[]()<>;:,"\'`\\/*@+?|&=!-.\n\r\t\0 '),
  '/**',
  '*/',
  '//',
  '@default ',
  '@enum ',
  '@pattern ',
  '@printcolumn ',
  '@rbac ',
  '@webhook {',
  '+kubebuilder:',
  '+kubebuilder:rbac:groups=',
  'interface ',
  'type ',
  ' extends ',
  'null',
  'Foo',
  'FooSpec',
  '__proto__',
  'constructor',
  '\u{feff}',
  '\u{2028}',
  '\u{d800}',
  '😀',
  '&a *a',
  '!!binary',
  '<<: ',
  '1e999',
  '.nan',
];

const spec = (text: string) => ({ 'src/foo.ts': apiSource({ spec: text }) });

describe('random text', () => {
  const edit = fc.record({ at: fc.nat(5000), cut: fc.nat(12), insert: fc.constantFrom('', ...fragments) });

  test('gives files or errors', () => {
    const sources = fc.tuple(fc.constantFrom(...corpus), fc.array(edit, { minLength: 1, maxLength: 4 }));
    const property = fc.property(sources, ([source, edits]) => {
      const mutated = edits.reduce((text, { at, cut, insert }) => {
        const from = at % (text.length + 1);
        return text.slice(0, from) + insert + text.slice(from + cut);
      }, source);
      run({ 'src/api/foo.ts': mutated });
    });
    expect(counterexample(property, propertyRuns(100))).toBeUndefined();
  });

  test('gives files or errors for tags of any text', () => {
    const noise = fc.oneof(
      fc.constantFrom(...fragments),
      fc.string({ unit: unicodeCharacter, maxLength: 6 }),
    );
    const names =
      '@default @enum @pattern @example @minimum @rbac @webhook @printcolumn +kubebuilder:rbac:'.split(' ');
    const property = fc.property(
      fc.constantFrom(...names),
      fc.array(noise, { maxLength: 12 }),
      (name, parts) => {
        const comment = `/**\n * ${name} ${parts.join('').replaceAll('*/', '')}\n */\n`;
        run(spec(`${comment}x: string[];\n${comment}y?: string;`));
      },
    );
    expect(counterexample(property, propertyRuns(100))).toBeUndefined();
  });

  test('is checked and matched in time as a pattern', () => {
    const pieces = ['(?:', '(?i)', '[^', '\\d', '\\b', '\\pL', '{2}', '{500}', '[[:alpha:]]'];
    const part = fc.constantFrom(...Array.from('ab(|)[]{}*+?^$.\\-,19'), ...pieces);
    const property = fc.property(
      fc.array(part, { maxLength: 12 }),
      fc.string({ maxLength: 8 }),
      (parts, text) => isJudged(parts.join(''), text),
    );
    expect(counterexample(property, propertyRuns(500))).toBeUndefined();
  });
});

describe('hostile sources', () => {
  test.each([
    ['a comment that does not end', { 'src/foo.ts': '/** @rbac groups=a' }, /Unterminated/],
    ['a file that is not text', { 'src/foo.ts': '\0\u{d800}@rbac' }, /./],
    [
      'a deep type',
      spec(`x: ${'{ a: '.repeat(50_000)}string${' }'.repeat(50_000)};`),
      /is nested too deeply/,
    ],
    [
      'a deep generic type',
      spec(`x: ${'A<b, '.repeat(50_000)}string${'>'.repeat(50_000)};`),
      /is nested too deeply/,
    ],
    [
      'a deep expression',
      { 'src/foo.ts': `/** @rbac */ const x = ${'('.repeat(50_000)}1;` },
      /is nested too deeply/,
    ],
    [
      'an expression that nests without brackets',
      { 'src/foo.ts': `/** @rbac */ const x = ${'a ? b : '.repeat(50_000)}1;` },
      /is nested too deeply/,
    ],
    [
      'a chain of else',
      { 'src/foo.ts': `/** @rbac */ ${'if (a) {} else '.repeat(50_000)}{}` },
      /is nested too deeply/,
    ],
    [
      'a type that is deep but can be read',
      spec(`x: ${'{ a: '.repeat(150)}string${' }'.repeat(150)};`),
      /more than 100 levels/,
    ],
    ['deep lists', spec(`x: string${'[]'.repeat(20_000)};`), /more than 100 levels/],
    [
      'a default that nests deeply',
      spec(`/** @default ${'['.repeat(100_000)} */ x: string[];`),
      /cannot be read/,
    ],
    ['aliases in a default', spec('/** @default [&a [1, 1], *a, *a] */ x: string[];'), /cannot be read/],
    [
      'types that double with every level',
      {
        'src/foo.ts': apiSource({
          types:
            Array.from({ length: 60 }, (_, i) => `interface A${i} { a: A${i + 1}; b: A${i + 1} }`).join(
              '\n',
            ) + '\ninterface A60 {}',
          spec: 'x: A0;',
        }),
      },
      /more than 20000 properties/,
    ],
    [
      'a long chain of aliases',
      {
        'src/foo.ts': apiSource({
          types:
            Array.from({ length: 5000 }, (_, i) => `type A${i} = A${i + 1};`).join('\n') +
            '\ntype A5000 = string;',
          spec: 'x: A0;',
        }),
      },
      /more than 100 levels/,
    ],
    [
      'a long chain of parents',
      {
        'src/foo.ts': apiSource({
          types:
            Array.from({ length: 20_000 }, (_, i) => `interface A${i} extends A${i + 1} {}`).join('\n') +
            '\ninterface A20000 {}',
          spec: 'x: A0;',
        }),
      },
      /more than 100 levels/,
    ],
    [
      'a pattern that takes others forever',
      spec(`/** @pattern ^(a+)+$ @default ${'a'.repeat(40)}! */ x: string;`),
      /should match/,
    ],
  ])('%s', (_, files, message) => {
    expect(run(files).join('\n')).toMatch(message);
  });

  test('files that import and re-export each other in circles', () => {
    const files = {
      'src/a.ts': apiSource({
        imports: `import type { B, None } from './b.ts'; export * from './b.ts';`,
        spec: 'x: B; y: None;',
      }),
      'src/b.ts': `import type { FooSpec } from './a.ts'; export * from './a.ts'; export { None } from './c.ts'; export interface B { a?: FooSpec }`,
      'src/c.ts': `export { None } from './b.ts';`,
    };
    expect(run(files).join('\n')).toMatch(/does not export None[^]*FooSpec -> B -> FooSpec/);
  });

  test('interfaces of kinds that extend each other in circles', () => {
    const types = 'interface A extends B {} interface B extends A, KubernetesObject {}';
    const source = apiSource({ types }).replace('Foo extends KubernetesObject', 'Foo extends A');
    expect(run({ 'src/a.ts': source }).join('\n')).toMatch(/contains itself: A -> B -> A/);
  });

  test('many tags, quotes and blanks in one comment', () => {
    const noise =
      '@a { " '.repeat(20_000) + '`'.repeat(20_001) + '{@link a'.repeat(10_000) + ' '.repeat(200_000);
    expect(run({ 'src/a.ts': `/** @rbac groups=a ${noise} */ export class A {}` })).not.toEqual([]);
  });

  const largeSpec = (length: number) =>
    spec(
      Array.from({ length }, (_, i) => `/** Field ${i}. @minimum ${i} @default ${i} */ f${i}?: int32;`).join(
        '\n',
      ),
    );

  test('a large file', () => {
    expect(run(largeSpec(2000))).toEqual([]);
  });

  test('a CRD that is too large for kubectl apply', () => {
    expect(run(largeSpec(5000))).toEqual([
      expect.stringMatching(/has \d{6} bytes, and kubectl apply accepts at most 262144/),
    ]);
  });
});
