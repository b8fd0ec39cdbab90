import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../src/manifests/diagnostics/format-diagnostic.ts';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { apiSource } from './api-source.ts';
import { refusedSpecs } from './refused-specs.ts';
import { virtualFiles } from './virtual-files.ts';

describe('an invalid spec is refused:', () => {
  test.each(refusedSpecs)('$name', ({ spec, types = '', imports = '', at, message, hint }) => {
    const source = apiSource({ spec, types, imports });
    const result = generateManifests(
      virtualFiles({ 'src/api/foo.ts': source, 'src/api/other.ts': 'export {}' }),
    );
    expect(result.diagnostics.map(formatDiagnostic)).toHaveLength(1);
    const [found] = result.diagnostics;
    expect(found).toMatchObject({ file: 'src/api/foo.ts', message: expect.stringMatching(message) });
    expect(source.split('\n')[found!.line - 1]).toBe(found!.sourceLine);
    expect(found!.sourceLine.slice(found!.column - 1).slice(0, at.length)).toBe(at);
    expect(String(found!.hint)).toMatch(hint ?? /^/);
    expect(result.files.size).toBe(0);
  });
});

describe('a run with errors', () => {
  test('shows all of them by position and generates nothing', () => {
    const result = generateManifests(
      virtualFiles({
        'src/api/v1/foo.ts': apiSource({ spec: 'b: any;\n/** @minimum x */ a: int32;\nc: Date;' }),
        'src/api/v1/broken.ts': '/** @rbac */ export const = 1;',
        'src/controllers/c.ts': '/** @rbac groups=apps resources=deployments verbs=gte */ export class C {}',
      }),
    );
    const seen = result.diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`);
    expect(seen).toEqual([
      'src/api/v1/broken.ts:1 syntax',
      'src/api/v1/foo.ts:7 unsupported-type',
      'src/api/v1/foo.ts:8 tag-value',
      'src/api/v1/foo.ts:9 unsupported-type',
      'src/controllers/c.ts:1 rbac',
    ]);
    expect(result.files.size).toBe(0);
  });

  test('shows errors of all sorts at once', () => {
    const kind = (name: string, spec: string) =>
      apiSource({ kind: name, plural: `${name.toLowerCase()}s`, spec });
    const { diagnostics } = generateManifests(
      virtualFiles({
        'src/a.ts': kind('Type', 'x: number;'),
        'src/b.ts': kind('Tag', '/** @minimun 1 */ x: int32;'),
        'src/c.ts': kind('Rule', '/** @cel self > -- m */ x: int32;'),
        'src/d.ts': kind('Default', '/** @default 2 @cel self == 1 -- m */ x?: int32;'),
        'src/e.ts': '/** @rbac groups=apps resources=deployments verbs=gte */ export const e = {};',
        'src/f.ts': `/** @webhook {mutating: false, name: a.b.c, path: /v, groups: [a], versions: [v1], resources: [b], verbs: [create], matchConditions: [{name: a, expression: "object."}]} */ export const f = {};`,
      }),
    );
    expect(diagnostics.map(({ file, code }) => `${file} ${code}`)).toEqual([
      'src/a.ts unsupported-type',
      'src/b.ts unknown-tag',
      'src/c.ts rule-syntax',
      'src/d.ts default',
      'src/e.ts rbac',
      'src/f.ts condition-syntax',
    ]);
  });

  test('reports an error in a shared type once', () => {
    const files = {
      'src/part.ts': 'export interface Part { a: number }',
      'src/a.ts': apiSource({
        imports: `import type { Part } from './part.ts';`,
        spec: 'x: Part; y: Part[];',
      }),
      'src/b.ts': apiSource({
        imports: `import type { Part } from './part.ts';`,
        spec: 'x: Part;',
        kind: 'Bar',
        plural: 'bars',
      }),
    };
    expect(generateManifests(virtualFiles(files)).diagnostics).toHaveLength(1);
  });

  test('does not report unused tags when their kind or type is refused', () => {
    const spec = '/** @listType set */ x: number[]; /** @listType set */ y: Part;';
    const types = '/** @mapType atomic */ type Part = { a: number };';
    const source = apiSource({
      spec,
      types,
      version: 'V1',
      members: 'status?: {};',
      tags: ['@subresource status'],
    });
    const { diagnostics } = generateManifests(virtualFiles({ 'src/a.ts': source }));
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'unsupported-type',
      'unsupported-type',
      'kind-name',
    ]);
  });

  test('counts columns in UTF-16 code units, after a byte order mark, CRLF and characters of several bytes', () => {
    const source = `\u{feff}${apiSource({ spec: '/* é😀 */ x: number;' }).replaceAll('\n', '\r\n')}`;
    const [found] = generateManifests(virtualFiles({ 'src/a.ts': source })).diagnostics;
    expect(found).toMatchObject({ line: 7, column: 14, length: 6, sourceLine: '/* é😀 */ x: number;' });
  });
});

describe('formatDiagnostic', () => {
  const found = {
    code: 'c',
    file: 'src/a.ts',
    line: 12,
    column: 4,
    length: 3,
    message: 'wrong',
    sourceLine: '\tx: any;',
  };

  test('points at the source, keeping tabs', () => {
    expect(formatDiagnostic({ ...found, hint: 'right' })).toBe(
      'src/a.ts:12:4: wrong\n  12 | \tx: any;\n     | \t  ^^^\n  hint: right',
    );
  });

  test('shows a window of a long line', () => {
    const sourceLine = `${'a'.repeat(5000)}any${'b'.repeat(5000)}`;
    const [, line, carets] = formatDiagnostic({ ...found, column: 5001, sourceLine }).split('\n');
    expect(line!.length).toBeLessThan(200);
    expect(line!.slice(carets!.indexOf('^')).startsWith('anyb')).toBe(true);
  });

  test('escapes control characters', () => {
    const text = formatDiagnostic({ ...found, message: 'a\u{1b}[31m', sourceLine: '\u{202e}x' });
    expect(text).toContain('a\u{fffd}[31m');
    expect(text).toContain('\u{fffd}x');
  });
});
