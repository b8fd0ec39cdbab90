import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { OtsError } from '../../../src/errors/ots-error.ts';
import { BaseYaml } from '../../../src/olm/base/base-yaml.ts';
import { type KindDescription, describeKinds } from '../../../src/olm/base/owned-crds.ts';
import { toYaml } from '../../../src/olm/generate/to-yaml.ts';

const descriptor = { path: 'size', displayName: 'Size', description: '', xDescriptors: ['urn:x'] };
const boat: KindDescription = {
  name: 'boats.sea.example.com',
  version: 'v1',
  kind: 'Boat',
  displayName: 'Boat',
  defaultDisplayName: 'Boat',
  description: 'A boat.',
  order: 1,
  resources: undefined,
  specDescriptors: [descriptor],
  statusDescriptors: [],
  hasField: (part, path) => part === 'spec' && path === 'size',
};
const identity = { name: boat.name, version: boat.version, kind: boat.kind };

const json = fc.jsonValue({ maxDepth: 3 });
const entry = fc.oneof(
  json,
  fc
    .record({ displayName: json, specDescriptors: json, statusDescriptors: fc.array(json), resources: json })
    .map((rest) => ({ ...identity, ...rest })),
  fc
    .record({
      specDescriptors: fc.array(fc.record({ path: fc.constantFrom('size', 'gone', ''), note: json })),
    })
    .map((rest) => ({ ...identity, ...rest })),
);

test('a base with any owned entries is described once, and then stays as it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(entry), json), json, (owned, other) => {
      const kind = 'ClusterServiceVersion';
      const text = `# mine\n${toYaml({ kind, other, spec: { customresourcedefinitions: { owned } } })}`;
      const base = new BaseYaml(text, 'base.yaml');
      const { csv } = describeKinds(base.csv, [boat]);
      const written = base.with(csv);
      expect(written.startsWith('# mine\n')).toBe(true);
      expect(parse(written, { version: '1.1' })).toEqual(csv);
      const again = new BaseYaml(written, 'base.yaml');
      const described = describeKinds(again.csv, [boat]);
      expect(again.with(described.csv)).toBe(written);
      expect(described.notes).toEqual([]);
      const list = described.csv['spec'] as { customresourcedefinitions: { owned: unknown[] } };
      expect(list.customresourcedefinitions.owned).toContainEqual(
        expect.objectContaining({ ...identity, displayName: 'Boat', description: 'A boat.' }),
      );
    }),
  );
});

test('any text is a base, or is refused with a hint', () => {
  const lines = fc.constantFrom(
    'kind: ClusterServiceVersion',
    'spec:',
    '  a: &x [1]',
    '  b: *x',
    '- c',
    '---',
    '\t',
    '"',
    '? {',
    '<<: *x',
    'é: !!binary "x"',
    '__proto__: {a: 1}',
  );
  fc.assert(
    fc.property(fc.array(lines), (chosen) => {
      try {
        const base = new BaseYaml(chosen.join('\n'), 'base.yaml');
        base.with(describeKinds(base.csv, [boat]).csv);
      } catch (error) {
        expect(error).toBeInstanceOf(OtsError);
        expect(error).toMatchObject({ code: 'INVALID_BASE', hint: expect.stringMatching(/./) });
      }
    }),
  );
});

test.each([1000, 100_000])('a base that nests %d levels is refused', (depth) => {
  const text = `kind: ClusterServiceVersion\nspec: ${'['.repeat(depth)}${']'.repeat(depth)}\n`;
  expect(() => new BaseYaml(text, 'base.yaml')).toThrow('base.yaml nests or repeats values too often');
});
