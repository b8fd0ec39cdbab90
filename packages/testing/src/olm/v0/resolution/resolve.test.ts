import { expect, test } from 'vitest';
import { type CatalogBundle, type ChannelEntry, bundleKey } from '../../content/catalog.ts';
import type { ClusterServiceVersion, Subscription } from '../kinds.ts';
import { type ResolutionInput, resolve } from './resolve.ts';

const key = { namespace: 'olm', name: 'catalog' };

type Entry = { name: string; replaces?: string; skips?: string[]; skipRange?: string };

const bundleOf = (name: string, properties: CatalogBundle['properties'] = []): CatalogBundle => ({
  name,
  package: name.split('.')[0]!,
  version: name.split('.v')[1]!,
  image: '',
  properties: [
    { type: 'olm.package', value: { packageName: name.split('.')[0], version: name.split('.v')[1] } },
    ...properties,
  ],
  objects: [],
});

function catalogOf(
  channels: Record<string, Entry[]>,
  properties: CatalogBundle['properties'] = [],
): ResolutionInput['catalogs'] {
  const entries = Object.values(channels).flat();
  const unique = [...new Set(entries.map(({ name }) => name))];
  const bundles = unique.map((name) => bundleOf(name, name.startsWith('a.') ? properties : []));
  return [
    {
      key,
      catalog: {
        packages: new Map(bundles.map((bundle) => [bundle.package, 'stable'])),
        channels: Object.entries(channels).flatMap(([name, all]) =>
          ['a', 'b'].map((packageName) => ({
            package: packageName,
            name,
            entries: all
              .filter((entry) => entry.name.startsWith(`${packageName}.`))
              .map(({ replaces, skips = [], skipRange, ...entry }): ChannelEntry => ({
                ...entry,
                replaces,
                skips,
                skipRange,
              })),
          })),
        ),
        bundles: new Map(bundles.map((bundle) => [bundleKey(bundle.package, bundle.name), bundle])),
        deprecations: new Map(),
      },
    },
  ];
}

function subscription(spec: Partial<Subscription['spec']> = {}, installedCSV?: string): Subscription {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata: { name: 'sub', namespace: 'default' },
    spec: { source: 'catalog', sourceNamespace: 'olm', name: 'a', ...spec },
    ...(installedCSV !== undefined && { status: { installedCSV, lastUpdated: '' } }),
  };
}

function installed(name: string): ClusterServiceVersion {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name, namespace: 'default' },
    spec: { displayName: name, version: name.split('.v')[1]!, install: { strategy: 'deployment' } },
  };
}

const chain: Entry[] = [
  { name: 'a.v3.0.0', replaces: 'a.v2.0.0' },
  { name: 'a.v2.0.0', replaces: 'a.v1.0.0' },
  { name: 'a.v1.0.0' },
];

function names(input: Partial<ResolutionInput>): string[] {
  const all = {
    subscriptions: [subscription()],
    installed: [],
    catalogs: catalogOf({ stable: chain }),
    ...input,
  };
  return resolve(all).map(({ bundle, replaces }) =>
    [bundle.name, replaces].filter(Boolean).join(' replaces '),
  );
}

test.each([
  ['the head of the default channel', {}, undefined, ['a.v3.0.0 replaces a.v2.0.0']],
  ['the starting version', { startingCSV: 'a.v1.0.0' }, undefined, ['a.v1.0.0']],
  ['the next version', {}, 'a.v1.0.0', ['a.v2.0.0 replaces a.v1.0.0']],
  ['nothing after the head', {}, 'a.v3.0.0', []],
])('%s is next', (_, spec, current, expected) => {
  const all = current === undefined ? [] : [installed(current)];
  expect(names({ subscriptions: [subscription(spec, current)], installed: all })).toEqual(expected);
});

test.each([
  ['skips', { skips: ['a.v1.0.0'] }],
  ['skipRange', { skipRange: '>=1.0.0 <2.0.0' }],
])('%s is a shortcut', (_, head) => {
  const catalogs = catalogOf({ stable: [{ ...chain[0]!, ...head }, ...chain.slice(1)] });
  const subscriptions = [subscription({}, 'a.v1.0.0')];
  expect(names({ subscriptions, catalogs, installed: [installed('a.v1.0.0')] })).toEqual([
    'a.v3.0.0 replaces a.v1.0.0',
  ]);
});

test('only the channel counts that a Subscription names', () => {
  const catalogs = catalogOf({ stable: chain, beta: [{ name: 'a.v4.0.0-rc.1' }] });
  expect(names({ catalogs, subscriptions: [subscription({ channel: 'beta' })] })).toEqual(['a.v4.0.0-rc.1']);
});

test.each([
  [{ name: 'c' }, 'no operators found in package c in the catalog referenced by subscription sub'],
  [
    { channel: 'beta' },
    'no operators found in channel beta of package a in the catalog referenced by subscription sub',
  ],
  [
    { startingCSV: 'a.v9' },
    'no operators found with name a.v9 in channel  of package a in the catalog referenced by subscription sub',
  ],
  [
    { source: 'gone' },
    'no operators found from catalog gone in namespace olm referenced by subscription sub',
  ],
])('what the catalog does not have cannot be resolved: %j', (spec, problem) => {
  expect(() => names({ subscriptions: [subscription(spec)] })).toThrow(
    `constraints not satisfiable: ${problem}, subscription sub exists`,
  );
});

const required = {
  type: 'olm.package.required',
  value: { packageName: 'b', versionRange: '>=1.0.0 <2.0.0' },
};
const head = [{ name: 'a.v1.0.0' }];

test('what a bundle requires is installed with it', () => {
  const catalogs = catalogOf(
    { stable: [...head, { name: 'b.v2.0.0', replaces: 'b.v1.5.0' }, { name: 'b.v1.5.0' }] },
    [required],
  );
  expect(names({ catalogs })).toEqual(['a.v1.0.0', 'b.v1.5.0']);
  const properties = JSON.stringify({
    properties: [{ type: 'olm.package', value: { packageName: 'b', version: '1.2.0' } }],
  });
  const there = installed('b.v1.2.0');
  there.metadata.annotations = { 'operatorframework.io/properties': properties };
  expect(names({ catalogs, installed: [there] })).toEqual(['a.v1.0.0']);
});

test('what a bundle requires and no catalog has cannot be resolved', () => {
  const catalogs = catalogOf({ stable: [...head, { name: 'b.v2.0.0' }] }, [required]);
  expect(() => names({ catalogs })).toThrow(
    'bundle a.v1.0.0 requires an operator with package: b and with version in range: >=1.0.0 <2.0.0',
  );
});
