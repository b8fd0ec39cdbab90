import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareCrd } from '../../src/manifests/compat/compare-crd.ts';
import type { Finding } from '../../src/manifests/compat/finding.ts';
import { findingDiagnostic } from '../../src/manifests/compat/finding.ts';
import { readBaseline } from '../../src/manifests/compat/read-baseline.ts';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { acceptedSchemas } from './accepted-schemas.ts';
import { type ApiSource, apiSource } from './api-source.ts';
import { compatCases } from './compat-cases.ts';
import { virtualFiles } from './virtual-files.ts';

interface CrdOptions {
  group?: string;
  kind?: string;
  plural?: string;
  scope?: string;
  versions?: object[];
  rest?: object;
}

/** A CRD as it would be read from YAML; a version needs nothing but what a test is about. */
function crdText({
  group = 'a.io',
  kind = 'Foo',
  plural = 'foos',
  scope = 'Namespaced',
  ...options
}: CrdOptions) {
  const versions = (options.versions ?? [{}]).map((version) => ({
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object' } },
    ...version,
  }));
  const names = { kind, plural, listKind: `${kind}List` };
  return JSON.stringify({
    kind: 'CustomResourceDefinition',
    spec: { group, scope, names, versions, ...options.rest },
  });
}

const read = (text: string) => readBaseline('crd.yaml', text).map(({ crd }) => crd);

function compare(before: CrdOptions, ...after: CrdOptions[]): Finding[] {
  const all = after.flatMap((options) => read(crdText(options)));
  return read(crdText(before)).flatMap((crd) => compareCrd(crd, all));
}

const ofSpec = (spec: object): CrdOptions => ({
  versions: [{ schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
});
const shown = ({ code, version, path }: Finding) => [code, version, path].filter(Boolean).join(' ');
const codes = (findings: readonly Finding[]) => findings.map(shown);

describe('a change of a schema', () => {
  test.each(compatCases)('$name', ({ before, after, breaks, backwards }) => {
    const inSchema = (from: object, to: object) =>
      compare(ofSpec(from), ofSpec(to)).map(({ code, path }) => `${code} ${path}`);
    expect(inSchema(before, after)).toEqual(breaks);
    expect(inSchema(after, before)).toEqual(backwards);
    expect(inSchema(before, before)).toEqual([]);
  });

  test('is reported in one line with its hint in another', () => {
    for (const { before, after } of compatCases) {
      for (const { message, hint } of compare(ofSpec(before), ofSpec(after))) {
        expect(message).toMatch(/^[^\n]+$/);
        expect(hint).toMatch(/^[^\n]+$/);
      }
    }
  });

  test.each([
    ['replcas', 'replicas'],
    ['size', 'count'],
  ])('guesses that %s became %s', (old, now) => {
    const spec = (name: string) => ({
      type: 'object',
      properties: { [name]: { type: 'integer', minimum: 3 } },
    });
    const [finding] = compare(ofSpec(spec(old)), ofSpec(spec(now)));
    expect(finding?.hint).toContain(`renamed to ${now}?`);
  });
});

describe('a change of a kind', () => {
  const two = [
    { name: 'v1', storage: true },
    { name: 'v2', storage: false },
  ];
  const webhook = { conversion: { strategy: 'Webhook', webhook: {} } };
  const scale = (specReplicasPath: string) => ({ subresources: { scale: { specReplicasPath } } });

  test.each<[string, CrdOptions, CrdOptions, string[]]>([
    ['none', {}, {}, []],
    ['it is gone', {}, { kind: 'Bar', plural: 'bars' }, ['kind-removed']],
    ['its group', {}, { group: 'b.io' }, ['group-changed']],
    ['its plural', {}, { plural: 'fooes' }, ['plural-changed']],
    ['its name', {}, { kind: 'Fuu' }, ['kind-renamed', 'list-kind-changed']],
    ['its scope', {}, { scope: 'Cluster' }, ['scope-changed']],
    [
      'unknown fields are dropped',
      { rest: { preserveUnknownFields: true } },
      {},
      ['preserve-unknown-fields-removed'],
    ],
    ['a new version', {}, { versions: two }, []],
    ['the versions in another order', { versions: two }, { versions: two.toReversed() }, []],
    ['a version is gone', { versions: two }, { versions: [two[0]!] }, ['version-removed v2']],
    [
      'the stored version is gone',
      { versions: two },
      { versions: [{ name: 'v2' }] },
      ['stored-version-removed v1'],
    ],
    [
      'a version that was not served is gone',
      { versions: [two[0]!, { ...two[1], served: false }] },
      { versions: [two[0]!] },
      [],
    ],
    [
      'a field that was not served is gone',
      { versions: [two[0]!, { ...two[1], served: false, ...ofSpec({ type: 'string' }).versions?.[0] }] },
      { versions: [two[0]!, { ...two[1], served: false }] },
      [],
    ],
    ['a version is not served', {}, { versions: [{ served: false }, two[1]!] }, ['version-not-served v1']],
    [
      'the storage version',
      { versions: two },
      { versions: [{ name: 'v1', storage: false }, { name: 'v2' }] },
      ['storage-version-changed v1'],
    ],
    ['a conversion, with the first second version', {}, { versions: two, rest: webhook }, []],
    ['a conversion, later', { versions: two }, { versions: two, rest: webhook }, ['conversion-changed']],
    [
      'the conversion was removed',
      { versions: two, rest: webhook },
      { versions: two },
      ['conversion-changed'],
    ],
    [
      'the status was removed',
      { versions: [{ subresources: { status: {} } }] },
      {},
      ['subresource-removed v1'],
    ],
    ['a status', {}, { versions: [{ subresources: { status: {} } }] }, ['status-subresource-added v1']],
    ['the scale was removed', { versions: [scale('.spec.a')] }, {}, ['subresource-removed v1']],
    ['a scale', {}, { versions: [scale('.spec.a')] }, []],
    [
      'another scale',
      { versions: [scale('.spec.a')] },
      { versions: [scale('.spec.b')] },
      ['scale-changed v1'],
    ],
    [
      'a selectable field was removed',
      { versions: [{ selectableFields: [{ jsonPath: '.spec.a' }] }] },
      { versions: [{ selectableFields: [{ jsonPath: '.spec.b' }] }] },
      ['selectable-field-removed v1'],
    ],
    [
      'names for people',
      { versions: [{ additionalPrinterColumns: [{ name: 'A' }] }] },
      { versions: [{ deprecated: true }] },
      [],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(codes(compare(before, after))).toEqual(expected);
  });

  test('is reported per version', () => {
    const version = (name: string, maxLength: number) => ({
      name,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', maxLength } } } },
    });
    const before = { versions: [version('v1', 9), version('v2', 9)] };
    const after = { versions: [version('v2', 8), version('v1', 9)] };
    expect(codes(compare(before, after))).toEqual(['max-length-tightened v2 .a']);
  });
});

describe('the definitions of the golden projects', () => {
  const golden = new URL('../golden/', import.meta.url);
  const files = readdirSync(golden, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes('crd/bases/'),
  );
  test.each(files)('%s does not break itself', (path) => {
    const [crd] = read(readFileSync(new URL(path, golden), 'utf8'));
    expect(crd && compareCrd(crd, [crd])).toEqual([]);
  });
});

describe('a type', () => {
  test.each(acceptedSchemas)('does not break itself: $name', ({ spec, types = '' }) => {
    const source = virtualFiles({ 'src/api/foo.ts': apiSource({ spec, types }) });
    const { files, crds } = generateManifests(source);
    const [[path = '', text = ''] = []] = files;
    const baselines = readBaseline(path, text);
    expect(baselines).toHaveLength(1);
    expect(baselines.flatMap(({ crd }) => compareCrd(crd, crds))).toEqual([]);
  });
});

describe('where a finding is', () => {
  const generate = (files: Record<string, ApiSource>) => {
    const sources = Object.entries(files).map(([path, source]) => [path, apiSource(source)]);
    const result = generateManifests(virtualFiles(Object.fromEntries(sources)));
    expect(result.diagnostics).toEqual([]);
    return result;
  };
  const find = (before: Record<string, ApiSource>, after: Record<string, ApiSource>): string[] => {
    const [[path = '', text = ''] = []] = generate(before).files;
    const { crds } = generate(after);
    return readBaseline(path, text).flatMap((baseline) =>
      compareCrd(baseline.crd, crds)
        .map((finding) => findingDiagnostic(finding, baseline, 'v1.0'))
        .map(({ file, sourceLine, column, length }) => {
          return `${file}: ${sourceLine.slice(column - 1, column - 1 + length)}`;
        }),
    );
  };
  const file = 'src/api/foo.ts';
  const types = (members: string) => `export interface Part {\n${members}\n}`;

  test.each<[string, ApiSource, ApiSource, string]>([
    ['the property', { spec: 'size?: int32;' }, { spec: 'size: int32;' }, 'size'],
    [
      'the property that contains an object when a property of the object was removed',
      { types: types('a?: string;\nb?: string;'), spec: 'part?: Part;' },
      { types: types('a?: string;'), spec: 'part?: Part;' },
      'part',
    ],
    [
      'the property of a list',
      { spec: 'list?: { a?: string }[];' },
      { spec: 'list?: { a: string }[];' },
      'a',
    ],
    ['the kind', {}, { scope: 'Cluster' }, 'Foo'],
    [
      'the interface, for the version',
      { tags: ['@subresource status'], members: 'status?: { a?: string };' },
      { members: 'status?: { a?: string };' },
      'Foo',
    ],
  ])('is %s', (_, before, after, expected) => {
    expect(find({ [file]: before }, { [file]: after })).toEqual([`${file}: ${expected}`]);
  });

  test('is in the old definition when it was removed', () => {
    expect(find({ [file]: {} }, { [file]: { kind: 'Bar', plural: 'bars' } })).toEqual([
      'v1.0:config/crd/bases/a.example.com_foos.yaml: apiVersion: apiextensions.k8s.io/v1',
    ]);
  });

  test('is in another version when the version was removed', () => {
    const other = 'src/api/v2/foo.ts';
    const v2 = { version: 'v2', tags: ['@storageVersion'] };
    expect(find({ [file]: {}, [other]: v2 }, { [other]: v2 })).toEqual([`${other}: Foo`]);
  });
});

describe('a file that definitions are read from', () => {
  test('may contain several documents and other kinds', () => {
    const text = `# comment\n---\nkind: ConfigMap\n---\n${crdText({})}\n---\n\n---\n${crdText({ kind: 'Bar', plural: 'bars' })}`;
    const found = readBaseline('a.yaml', text);
    expect(found.map(({ crd, line }) => [crd.spec.names.kind, line])).toEqual([
      ['Foo', 5],
      ['Bar', 9],
    ]);
  });

  test.each(['', '\n', '# nothing\n', '---\n', 'just text', '[]', '5', 'null', '{}'])(
    'may contain no definition: %j',
    (text) => {
      expect(readBaseline('a.yaml', text)).toEqual([]);
    },
  );

  const bomb = Array.from(
    { length: 12 },
    (_, at) => `a${at}: &a${at} [${'*a'.concat(String(at - 1), ', ').repeat(10)}1]`,
  );
  test.each([
    ['is not YAML', 'kind: [', /^a\.yaml:1:\d+ is not valid YAML/],
    [
      'has conflict markers',
      '<<<<<<< HEAD\nkind: A\n=======\nkind: B\n',
      /^a\.yaml:\d+:\d+ is not valid YAML/,
    ],
    ['nests without end', '['.repeat(200_000), /^a\.yaml(?::\d+:\d+)? /],
    [
      'multiplies its aliases',
      `a0: &a0 [1]\n${bomb.slice(1).join('\n')}\nb: *a11\n`,
      /^a\.yaml cannot be read/,
    ],
    ['has no spec', 'kind: CustomResourceDefinition', /it has no spec$/],
    ['has no group', 'kind: CustomResourceDefinition\nspec: {}', /needs a group and a scope$/],
    ['has no names', 'kind: CustomResourceDefinition\nspec: { group: a, scope: b }', /a kind and a plural$/],
    [
      'has no list of versions',
      'kind: CustomResourceDefinition\nspec: { group: a, scope: b, names: { kind: A, plural: as }, versions: 1 }',
      /spec\.versions is not a list$/,
    ],
    ['has a version without a name', crdText({ versions: [{ name: 1 }] }), /a version has no name$/],
    [
      'has a property without a schema',
      crdText(ofSpec({ properties: { a: 1 } })),
      /at \.spec\.a: it is not an object$/,
    ],
    [
      'has properties that are not schemas',
      crdText(ofSpec({ properties: [] })),
      /at \.spec: properties is not an object$/,
    ],
    [
      'has required that is not a list',
      crdText(ofSpec({ required: 'a' })),
      /at \.spec: required is not a list$/,
    ],
  ])('is refused when it %s', (_, text, message) => {
    let problem = '';
    try {
      readBaseline('a.yaml', text);
    } catch (error) {
      const { name, at, message: words } = error as { name: string; at: string; message: string };
      expect(name).toBe('BaselineError');
      problem = `${at} ${words}`;
    }
    expect(problem).toMatch(message);
  });
});
