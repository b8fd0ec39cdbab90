import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { generateManifests } from '../../src/manifests/generate-manifests.ts';
import { apiSource } from './api-source.ts';
import { crdsPath, RealServer, hasRealServer } from './real-server.ts';
import { virtualFiles } from './virtual-files.ts';

// Tags at random on types at random: whatever is accepted here, a real API server must accept.
const isReal = hasRealServer('tags at random');

const typeTexts = (
  'string|int32|int64|double|boolean|unknown|object|IntOrString|Quantity|Time|string[]|int32[]|string[][]|unknown[]|object[]|' +
  'Condition[]|Name[]|Part[]|Record<string, string>|Record<string, int32[]>|Record<string, Part>|Name|Part|Partial<Part>|' +
  '[string, string]|{ a?: string; b?: int32 }|{ a: string; b?: int32[] }[]|{ /** @default x */ a?: string }[]'
)
  .split('|')
  .concat(`'a' | 'b'`, '1 | 2', 'string | null', `('a' | null)[]`)
  .concat(`{ type: 'S'; a: string } | { type: 'G'; b?: int32 }`);
const tagValues = (
  '-1|0|1|3|1.5|80|a|b|"a"|10%|true|null|2020-01-01T00:00:00Z|[]|[a, b]|[a, a]|[1]|[null]|[[a]]|[{}]|[{a: x}, {a: x}]|' +
  '[{a: x}, {a: y}]|{}|{a: x}|{a: x, b: 1}|{a: [1]}|{a: null}|{type: S, a: x}|{apiVersion: v1, kind: Pod}|' +
  '{apiVersion: v1, kind: Pod, metadata: {name: 3}}'
).split('|');
const formats =
  'date date-time int32 uuid byte password k8s-short-name duration uri email hostname ipv4'.split(' ');
const tag = (name: string, values: readonly string[]) =>
  fc.constantFrom(...values).map((value) => `@${name} ${value}`);
const tagArbitrary = fc.oneof(
  fc
    .constantFrom('minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems')
    .chain((name) => tag(name, ['0', '1', '2', '9'])),
  tag('multipleOf', ['0.5', '2.5']),
  fc.constantFrom('minProperties', 'maxProperties').chain((name) => tag(name, ['0', '1', '3'])),
  fc.constantFrom('exclusiveMinimum', 'exclusiveMaximum').chain((name) => tag(name, ['0', '5', 'true'])),
  tag('pattern', ['^a', '^[a-z]+$', 'b$', '\\d']),
  tag('format', formats),
  tag('enum', ['a;b', '1;2', 'a', '["a","x"]']),
  tag('type', ['string', 'integer', 'object', 'boolean', 'number']),
  tag('listType', ['set', 'map', 'atomic', 'map @listMapKey a']),
  tag('mapType', ['atomic', 'granular']),
  fc.constantFrom('@intOrString', '@preserveUnknownFields', '@embeddedResource', '@schemaless', '@nullable'),
  fc.constantFrom('@immutable', '@selectable', '@column', '@title T', '@required', '@optional'),
  tag('cel', ['true', 'self == self', 'self == oldSelf', 'has(self.a)', 'self.size() < 3']),
  fc.constantFrom('exactlyOneOf', 'atMostOneOf', 'atLeastOneOf').chain((name) => tag(name, ['a b', 'b'])),
  fc.constantFrom('default', 'default', 'default', 'example').chain((name) => tag(name, tagValues)),
  tag('items.minLength', ['1']),
  fc
    .constantFrom('maxLength 3', 'pattern ^a', 'enum a;b', 'minimum 2', 'format date', 'minItems 1')
    .map((rest) => `@items.${rest}`),
  fc
    .constantFrom('preserveUnknownFields', 'embeddedResource', 'type string', 'intOrString', 'cel true')
    .map((rest) => `@items.${rest}`),
);
const places = ['name', 'part', 'a', 'b', 'x'] as const;
type Comments = Readonly<Record<(typeof places)[number], string>>;

const optional = fc.constantFrom('', '?');
const shapeArbitrary = fc.record({
  type: fc.constantFrom(...typeTexts),
  name: fc.constantFrom('string', 'int32', 'string[]'),
  a: optional,
  x: optional,
});
const sourceArbitrary = fc.tuple(
  shapeArbitrary,
  fc.array(fc.tuple(fc.constantFrom('x', 'x', 'x', ...places), tagArbitrary), { maxLength: 12 }),
);

function render(shape: { type: string; name: string; a: string; x: string }, comments: Comments): string {
  const above = (place: keyof Comments) => (comments[place] ? `/** ${comments[place]} */\n` : '');
  return apiSource({
    types: `${above('name')}type Name = ${shape.name};\n${above('part')}interface Part { ${above('a')}a${shape.a}: string; ${above('b')}b?: int32 }`,
    spec: `${above('x')}x${shape.x}: ${shape.type}; name?: Name; part?: Part;`,
  });
}

/** The CRD with as many of the tags as are accepted together, and its source. */
function generateMost([shape, tags]: typeof sourceArbitrary extends fc.Arbitrary<infer T> ? T : never) {
  let comments: Comments = { name: '', part: '', a: '', b: '', x: '' };
  let accepted: { source: string; crd: unknown } | undefined;
  for (const [place, text] of [['x', ''] as const, ...tags]) {
    const tried = { ...comments, [place]: `${comments[place]} ${text}`.trim() };
    const source = render(shape, tried);
    const { files, diagnostics } = generateManifests(virtualFiles({ 'src/foo.ts': source }));
    // What needs a tag that is still to come stays.
    if (diagnostics.length > 0 && accepted) continue;
    comments = tried;
    if (diagnostics.length === 0)
      accepted = { source, crd: parse(files.get('config/crd/bases/a.example.com_foos.yaml')!) };
  }
  return accepted;
}

describe.skipIf(!isReal)('a real kube-apiserver', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await RealServer.start();
  }, 120_000);
  afterAll(() => server.stop());

  test('accepts random tags that ots accepts', async () => {
    let count = 0;
    const property = fc.asyncProperty(sourceArbitrary, async (input) => {
      const accepted = generateMost(input);
      if (!accepted) return;
      count++;
      const verdict = await server.verdict(crdsPath, accepted.crd);
      if (verdict !== 'accepted') throw new Error(`${accepted.source}\n${verdict}`);
    });
    const numRuns = 200;
    const result = await fc.check(property, { numRuns, endOnFailure: true });
    expect(result.failed ? fc.defaultReportMessage(result) : undefined).toBeUndefined();
    expect(count).toBeGreaterThan(numRuns / 2);
  }, 600_000);
});
