import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCatalog } from '../../../src/olm/catalog/read-catalog.ts';
import { validateCatalog } from '../../../src/olm/catalog/validate-catalog.ts';
import { brew, bundle, channel, deprecations, entry, textOf, verdictOf } from './small-catalog.ts';

const v1 = bundle('1.0.0');
const v2 = bundle('2.0.0');
const stable = channel([entry('1.0.0')]);
const both = channel([entry('1.0.0'), entry('2.0.0', { replaces: 'brew.v1.0.0' })]);
const withProperties = (...properties: unknown[]) => bundle('1.0.0', { properties });
const packageValue = { packageName: 'brew', version: '1.0.0' };
const packageProperty = { type: 'olm.package', value: packageValue };

/** The findings of a catalog as `type package/channel/bundle`. */
function findingsOf(...blobs: readonly unknown[]): string[] {
  return verdictOf(...blobs).findings.map(
    ({ type, package: packageName = '-', channel: name = '-', bundle: of = '-' }) =>
      `${type} ${packageName}/${name}/${of}`,
  );
}

test('a catalog without objects is valid', () => {
  expect(verdictOf()).toEqual({ stage: 'graphs', findings: [] });
});

test('channels, bundles, deprecations and other schemas make a valid catalog', () => {
  const fast = channel([entry('2.0.0', { skips: ['brew.v1.5.0'], skipRange: '>=1.0.0 <2.0.0' })], {
    name: 'fast',
  });
  const notes = deprecations(
    { reference: { schema: 'olm.package' }, message: 'use tea' },
    { reference: { schema: 'olm.channel', name: 'fast' }, message: 'use stable' },
    { reference: { schema: 'olm.bundle', name: 'brew.v1.0.0' }, message: 'loses coffee' },
  );
  expect(
    findingsOf(brew, both, fast, v1, v2, notes, { schema: 'example.com/other', package: 'none' }),
  ).toEqual([]);
});

describe('structure', () => {
  test.each<[string, unknown[], string[]]>([
    ['a package without a name', [{ schema: 'olm.package' }, stable, v1], ['package-without-name -/-/-']],
    ['a package twice', [brew, brew, stable, v1], ['duplicate-package brew/-/-']],
    ['the name of a package', [{ ...brew, name: 'big.brew' }], ['invalid-package-name big.brew/-/-']],
    ['a channel of an unknown package', [channel([])], ['unknown-package brew/stable/-']],
    [
      'a channel without a name',
      [brew, channel([entry('1.0.0')], { name: '' }), v1],
      ['channel-without-name brew//-'],
    ],
    ['a channel twice', [brew, stable, both, v1, v2], ['duplicate-channel brew/stable/-']],
    [
      'an entry twice',
      [brew, channel([entry('1.0.0'), entry('1.0.0')]), v1],
      ['duplicate-entry brew/stable/brew.v1.0.0'],
    ],
    [
      'a bundle without a package',
      [brew, stable, { ...v1, package: '' }],
      ['bundle-without-package /-/brew.v1.0.0'],
    ],
    [
      'a bundle of an unknown package',
      [brew, stable, { ...v1, package: 'tea' }],
      ['unknown-package tea/-/brew.v1.0.0'],
    ],
    ['a bundle twice', [brew, stable, v1, v1], ['duplicate-bundle brew/-/brew.v1.0.0']],
    ['a bundle in no channel', [brew, stable, v1, v2], ['bundle-in-no-channel brew/-/brew.v2.0.0']],
    ['an entry without a bundle', [brew, both, v1], ['entry-without-bundle brew/stable/brew.v2.0.0']],
    [
      'an entry without a bundle in another channel than the last',
      [brew, both, channel([entry('1.0.0')], { name: 'fast' }), v1],
      ['entry-without-bundle brew/stable/brew.v2.0.0'],
    ],
  ])('%s', (_, blobs, expected) => {
    expect(findingsOf(...blobs)).toEqual(expected);
  });

  test.each<[string, unknown, string]>([
    ['no olm.package', withProperties(), 'package-property-count'],
    ['two of olm.package', withProperties(packageProperty, packageProperty), 'package-property-count'],
    [
      'another package',
      withProperties({ type: 'olm.package', value: { ...packageValue, packageName: 'tea' } }),
      'package-property-mismatch',
    ],
    ['a property without a value', withProperties(packageProperty, { type: 'x' }), 'invalid-property'],
    [
      'a value of the wrong type',
      withProperties(packageProperty, { type: 'olm.gvk', value: { group: 1 } }),
      'invalid-property',
    ],
    [
      'metadata of the wrong type',
      withProperties(packageProperty, { type: 'olm.csv.metadata', value: { annotations: { a: 1 } } }),
      'invalid-property',
    ],
    ['a version', bundle('1', { name: 'brew.v1.0.0' }), 'invalid-version'],
    [
      'a release',
      withProperties({ type: 'olm.package', value: { ...packageValue, release: '01' } }),
      'invalid-release',
    ],
    [
      'a long release',
      withProperties({ type: 'olm.package', value: { ...packageValue, release: 'a'.repeat(21) } }),
      'invalid-release',
    ],
    ['an image', bundle('1.0.0', { image: 'registry.example.com/Brew' }), 'invalid-image'],
    ['an image whose first part has capitals', bundle('1.0.0', { image: 'Brew/bundle' }), 'invalid-image'],
    ['a related image', bundle('1.0.0', { relatedImages: [{ name: 'a', image: 'a b' }] }), 'invalid-image'],
  ])('the properties and images of a bundle: %s', (_, blob, type) => {
    expect(findingsOf(brew, stable, blob)).toEqual([`${type} brew/-/brew.v1.0.0`]);
  });

  test.each<[string, unknown]>([
    ['an unknown type', withProperties(packageProperty, { type: 'example', value: [1] })],
    ['null', withProperties(packageProperty, { type: 'olm.gvk', value: null })],
    [
      'fields with other capitals',
      withProperties({ Type: 'olm.package', VALUE: { PackageName: 'brew', version: '1.0.0' } }),
    ],
    ['an empty related image', bundle('1.0.0', { relatedImages: [{ name: 'a', image: '' }] })],
  ])('accepts %s', (_, blob) => {
    expect(findingsOf(brew, stable, blob)).toEqual([]);
  });

  test.each<[string, unknown[], string]>([
    ['no package', [{ ...deprecations(), package: '' }], 'deprecations-without-package /-/-'],
    ['an unknown package', [{ ...deprecations(), package: 'tea' }], 'unknown-package tea/-/-'],
    ['twice', [deprecations(), deprecations()], 'duplicate-deprecations brew/-/-'],
    ['no schema', [deprecations({ message: 'x' })], 'deprecation-without-schema brew/-/-'],
    [
      'an entry twice',
      [
        deprecations(
          { reference: { schema: 'olm.package' }, message: 'x' },
          { reference: { schema: 'olm.package' }, message: 'y' },
        ),
      ],
      'duplicate-deprecation brew/-/-',
    ],
    [
      'an unknown bundle',
      [deprecations({ reference: { schema: 'olm.bundle', name: 'x' } })],
      'unknown-deprecation brew/-/x',
    ],
    [
      'an unknown channel',
      [deprecations({ reference: { schema: 'olm.channel', name: 'x' } })],
      'unknown-deprecation brew/x/-',
    ],
    [
      'a package with a name',
      [deprecations({ reference: { schema: 'olm.package', name: 'brew' } })],
      'unknown-deprecation brew/-/-',
    ],
    ['another schema', [deprecations({ reference: { schema: 'x' } })], 'unknown-deprecation brew/-/-'],
  ])('deprecations: %s', (_, blobs, expected) => {
    expect(findingsOf(brew, stable, v1, ...blobs)).toEqual([expected]);
  });

  test('all findings are reported, and graphs are not checked', () => {
    const cyclic = channel([entry('1.0.0', { replaces: 'brew.v1.0.0' })]);
    expect(verdictOf(brew, cyclic, { ...v1, image: 'A' }, v2)).toMatchObject({
      stage: 'structure',
      findings: [{ type: 'invalid-image' }, { type: 'bundle-in-no-channel' }],
    });
  });
});

describe('graphs', () => {
  const v11 = bundle('1.1.0');
  const chain = (...entries: object[]) => [brew, channel(entries as Record<string, unknown>[]), v1, v11, v2];

  test.each<[string, unknown[], string[]]>([
    ['no default channel', [{ ...brew, defaultChannel: '' }, stable, v1], ['no-default-channel brew/-/-']],
    ['no channel', [{ ...brew, defaultChannel: '' }], ['no-default-channel brew/-/-', 'no-channel brew/-/-']],
    [
      'an unknown default channel',
      [{ ...brew, defaultChannel: 'x' }, stable, v1],
      ['empty-channel brew/x/-'],
    ],
    ['a channel without entries', [brew, channel([])], ['empty-channel brew/stable/-']],
    [
      'no head',
      chain(
        entry('1.0.0', { replaces: 'brew.v2.0.0' }),
        entry('1.1.0', { replaces: 'brew.v1.0.0' }),
        entry('2.0.0', { replaces: 'brew.v1.1.0' }),
      ),
      ['no-head brew/stable/-'],
    ],
    [
      'several heads',
      chain(entry('1.0.0'), entry('1.1.0'), entry('2.0.0')),
      ['multiple-heads brew/stable/-'],
    ],
    [
      'a cycle below the head',
      chain(
        entry('1.0.0', { replaces: 'brew.v1.1.0' }),
        entry('1.1.0', { replaces: 'brew.v1.0.0' }),
        entry('2.0.0', { replaces: 'brew.v1.1.0' }),
      ),
      ['replaces-cycle brew/stable/-'],
    ],
    [
      'a cycle beside the chain',
      chain(
        entry('1.0.0', { replaces: 'brew.v1.1.0' }),
        entry('1.1.0', { replaces: 'brew.v1.0.0' }),
        entry('2.0.0'),
      ),
      ['stranded-bundles brew/stable/-'],
    ],
    [
      'an entry that only a skipped one replaces',
      chain(
        entry('1.0.0'),
        entry('1.1.0', { replaces: 'brew.v1.0.0' }),
        entry('2.0.0', { replaces: 'brew.v1.1.0', skips: ['brew.v1.1.0'] }),
      ),
      ['stranded-bundles brew/stable/-'],
    ],
    [
      'an empty skip and a wrong range',
      [brew, channel([entry('1.0.0', { skips: [''], skipRange: '^1.0.0' })]), v1],
      ['empty-skip brew/stable/brew.v1.0.0', 'invalid-skip-range brew/stable/brew.v1.0.0'],
    ],
    ['no image', [brew, stable, { ...v1, image: '' }], ['bundle-without-image brew/stable/brew.v1.0.0']],
    [
      'a version twice',
      [
        brew,
        channel([entry('1.0.0'), { name: 'copy', replaces: 'brew.v1.0.0' }]),
        v1,
        { ...v1, name: 'copy' },
      ],
      ['duplicate-version brew/-/-'],
    ],
    [
      'a deprecation without a message',
      [brew, stable, v1, deprecations({ reference: { schema: 'olm.bundle', name: 'brew.v1.0.0' } })],
      ['deprecation-without-message brew/stable/brew.v1.0.0'],
    ],
    [
      'a release, and build metadata',
      [
        brew,
        channel([{ name: 'brew-v1.0.0+x-1' }]),
        bundle('1.0.0+x', {
          name: 'brew-v1.0.0+x-1',
          properties: [
            { type: 'olm.package', value: { packageName: 'brew', version: '1.0.0+x', release: '1' } },
          ],
        }),
      ],
      ['build-with-release brew/stable/brew-v1.0.0+x-1'],
    ],
    [
      'a release that the name does not have',
      [brew, stable, withProperties({ type: 'olm.package', value: { ...packageValue, release: '1' } })],
      ['wrong-bundle-name brew/stable/brew.v1.0.0'],
    ],
    [
      'a bundle without a name',
      [brew, channel([{}]), { ...v1, name: '' }],
      ['replaces-cycle brew/stable/-', 'bundle-without-name brew/stable/'],
    ],
  ])('%s', (_, blobs, expected) => {
    expect(findingsOf(...blobs)).toEqual(expected);
  });

  test.each<[string, unknown[]]>([
    [
      'skipped entries outside of the chain',
      chain(
        entry('1.0.0'),
        entry('1.1.0', { replaces: 'none' }),
        entry('2.0.0', { replaces: 'brew.v1.0.0', skips: ['brew.v1.1.0'] }),
      ),
    ],
    [
      'versions that differ in build metadata',
      [brew, channel([entry('1.0.0'), entry('1.0.0+1', { replaces: 'brew.v1.0.0' })]), v1, bundle('1.0.0+1')],
    ],
    [
      'a bundle with its manifests instead of an image',
      [
        brew,
        stable,
        {
          ...withProperties(packageProperty, { type: 'olm.bundle.object', value: { data: 'e30=' } }),
          image: '',
        },
      ],
    ],
  ])('accepts %s', (_, blobs) => {
    expect(findingsOf(...blobs)).toEqual([]);
  });

  test('a finding says where the channel is', () => {
    expect(verdictOf(brew, channel([]), v1).findings).toMatchObject([{ file: 'catalog.json', line: 3 }]);
  });
});

test('a catalog with wrong types, truncated or not, gets findings, not an exception', () => {
  const keys = fc.constantFrom(
    'schema',
    'name',
    'package',
    'entries',
    'properties',
    'image',
    'type',
    'value',
    '__proto__',
    'constructor',
    'reference',
  );
  const texts = fc.constantFrom(
    'olm.package',
    'olm.channel',
    'olm.bundle',
    'olm.deprecations',
    'brew',
    'brew.v1.0.0',
    '',
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      texts,
      fc.double(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: false }),
    ),
  }));
  const objects = [brew, both, v1, v2, deprecations({ reference: { schema: 'olm.package' }, message: 'x' })];
  const changed = fc
    .tuple(fc.constantFrom(...objects), keys, value)
    .map(([object, key, other]) => ({ ...object, [key]: other }));
  fc.assert(
    fc.property(
      fc.array(fc.oneof(changed, value), { maxLength: 6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (blobs, part) => {
        const text = textOf([...blobs, ...objects]);
        const cut = text.slice(0, Math.ceil(text.length * part));
        for (const each of [text, cut]) validateCatalog(parseCatalog('x', each));
        validateCatalog(parseCatalog('x', cut.replaceAll('\n', '\n---\n')));
      },
    ),
    { numRuns: 150 },
  );
});
