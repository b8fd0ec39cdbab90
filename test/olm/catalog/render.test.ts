import { describe, expect, test } from 'vitest';
import { readBundle } from '../../../src/olm/bundle/read-bundle.ts';
import { type RenderedBundle, renderBundle, renderProblem } from '../../../src/olm/catalog/render-bundle.ts';
import { renderTemplate } from '../../../src/olm/catalog/render-catalog.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { type SmallBundle, writeBundle } from './small-bundle.ts';

const image = 'registry.example.com/brew-bundle:v1.0.0';

async function bundleOf(small: SmallBundle) {
  const directory = temporaryDirectory();
  writeBundle(directory, '1.0.0', small);
  return readBundle(directory);
}

async function render(small: SmallBundle = {}, reference = image): Promise<RenderedBundle> {
  return renderBundle(await bundleOf(small), reference);
}

/** The properties of a type. */
function valuesOf({ properties }: RenderedBundle, of: string): unknown[] {
  return properties.filter(({ type }) => type === of).map(({ value }) => value);
}

describe('a bundle', () => {
  test('says what it is, what it provides, which images it uses and what users see', async () => {
    expect(await render()).toEqual({
      schema: 'olm.bundle',
      name: 'brew.v1.0.0',
      package: 'brew',
      image,
      properties: [
        { type: 'olm.gvk', value: { group: 'brew.example.com', kind: 'Tea', version: 'v1' } },
        { type: 'olm.gvk', value: { group: 'brew.example.com', kind: 'Tea', version: 'v1alpha1' } },
        { type: 'olm.package', value: { packageName: 'brew', version: '1.0.0' } },
        {
          type: 'olm.csv.metadata',
          value: {
            apiServiceDefinitions: {},
            crdDescriptions: { owned: [{ name: 'teas.brew.example.com', version: 'v1', kind: 'Tea' }] },
            description: 'Brews tea 1.0.0.',
            displayName: 'Brew',
            installModes: [{ type: 'AllNamespaces', supported: true }],
            provider: { name: 'Brewers' },
          },
        },
      ],
      relatedImages: [
        { name: '', image: 'registry.example.com/brew-bundle:v1.0.0' },
        { name: '', image: 'registry.example.com/brew:1' },
      ],
    });
  });

  test('without an image has its manifests', async () => {
    const bundle = await render({}, '');
    const kinds = valuesOf(bundle, 'olm.bundle.object').map((value) => {
      const { data } = value as { data: string };
      return JSON.parse(Buffer.from(data, 'base64').toString('utf8')).kind;
    });
    expect(new Set(kinds)).toEqual(new Set(['ClusterServiceVersion', 'CustomResourceDefinition']));
    expect([bundle.image, valuesOf(bundle, 'olm.csv.metadata')]).toEqual(['', []]);
  });

  test('has the properties and dependencies of its files and annotations', async () => {
    const bundle = await render({
      annotations: { 'olm.properties': '[{"type":"olm.maxOpenShiftVersion","value":"4.20"}]', empty: '' },
      files: {
        'metadata/properties.yaml': {
          properties: [{ type: 'olm.gvk', value: { group: 'g', kind: 'K', version: 'v1' } }],
        },
        'metadata/dependencies.yaml': {
          dependencies: [
            { type: 'olm.package', value: { packageName: 'kettle', version: '>1.0.0' } },
            { type: 'olm.gvk', value: { group: 'kettle.example.com', kind: 'Kettle', version: 'v1' } },
            { type: 'olm.constraint', value: { failureMessage: 'no', cel: { rule: 'true' } } },
          ],
        },
      },
    });
    expect(valuesOf(bundle, 'olm.gvk')).toContainEqual({ group: 'g', kind: 'K', version: 'v1' });
    expect(valuesOf(bundle, 'olm.maxOpenShiftVersion')).toEqual(['4.20']);
    expect(valuesOf(bundle, 'olm.package.required')).toEqual([
      { packageName: 'kettle', versionRange: '>1.0.0' },
    ]);
    expect(valuesOf(bundle, 'olm.gvk.required')).toEqual([
      { group: 'kettle.example.com', kind: 'Kettle', version: 'v1' },
    ]);
    expect(valuesOf(bundle, 'olm.constraint')).toEqual([{ failureMessage: 'no', cel: { rule: 'true' } }]);
    expect(valuesOf(bundle, 'olm.csv.metadata')).toMatchObject([{ annotations: { empty: '' } }]);
  });

  test('has the kinds that its ClusterServiceVersion needs, and the images that it names', async () => {
    const owned = [{ name: 'teas.brew.example.com', version: 'v1', kind: 'Tea' }];
    const bundle = await render({
      spec: {
        customresourcedefinitions: {
          owned,
          required: [{ name: 'cups.ware.example.com', version: 'v2', kind: 'Cup' }],
        },
        apiservicedefinitions: {
          owned: [{ group: 'live.example.com', version: 'v1', kind: 'Steam', name: 'steams' }],
        },
        relatedImages: [
          { name: 'manager', image: 'registry.example.com/brew:1' },
          { name: 'a', image: 'a' },
        ],
      },
    });
    expect(valuesOf(bundle, 'olm.gvk.required')).toEqual([
      { group: 'ware.example.com', kind: 'Cup', version: 'v2' },
    ]);
    expect(valuesOf(bundle, 'olm.gvk')).toContainEqual({
      group: 'live.example.com',
      kind: 'Steam',
      version: 'v1',
    });
    expect(bundle.relatedImages).toEqual([
      { name: 'a', image: 'a' },
      { name: '', image },
      { name: 'manager', image: 'registry.example.com/brew:1' },
    ]);
  });

  test.each<[string, SmallBundle, string]>([
    [
      'owns a kind that it does not have',
      { spec: { customresourcedefinitions: { owned: [{ name: 'x.y', version: 'v1', kind: 'X' }] } } },
      'owns x.y/v1',
    ],
    ['is of no package', { files: { 'metadata/annotations.yaml': {} } }, 'does not name the package'],
  ])('is refused when it %s', async (_, small, problem) => {
    expect(renderProblem(await bundleOf(small))).toContain(problem);
  });
});

describe('a template', () => {
  const renderImage = async (reference: string) => {
    const version = reference.slice(reference.lastIndexOf(':v') + 2);
    const properties = [
      { type: 'olm.package', value: { packageName: reference.startsWith('tea') ? 'tea' : 'brew', version } },
    ];
    const bundle = {
      schema: 'olm.bundle',
      name: `brew.v${version}`,
      package: 'brew',
      image: reference,
      properties,
    };
    return { bundle, about: { description: `about ${version}` } };
  };
  const renderText = (template: object) => renderTemplate(JSON.stringify(template), renderImage);
  const bundles = (...versions: string[]) => ({
    bundles: versions.map((version) => ({ image: `brew:v${version}` })),
  });

  test('basic: bundles are rendered, and everything else is kept, in the order of catalogs', async () => {
    const channel = {
      schema: 'olm.channel',
      package: 'brew',
      name: 'stable',
      entries: [{ name: 'brew.v1.0.0' }],
    };
    const other = { schema: 'example.com/other', package: 'brew' };
    const brew = { schema: 'olm.package', name: 'brew', defaultChannel: 'stable' };
    const notes = { schema: 'olm.deprecations', package: 'brew', entries: [] };
    const entries = [notes, other, { schema: 'olm.bundle', image: 'brew:v1.0.0' }, channel, brew];
    expect(await renderText({ schema: 'olm.template.basic', entries })).toEqual([
      brew,
      channel,
      (await renderImage('brew:v1.0.0')).bundle,
      other,
      notes,
    ]);
  });

  test('semver: channels of minor versions, in which the newest bundle skips the older ones', async () => {
    const objects = await renderText({
      schema: 'olm.semver',
      stable: bundles('1.1.0', '1.0.1', '1.0.0', '2.0.0'),
    });
    expect(objects.slice(0, 4)).toEqual([
      { schema: 'olm.package', name: 'brew', defaultChannel: 'stable-v2.0', description: 'about 2.0.0' },
      {
        schema: 'olm.channel',
        package: 'brew',
        name: 'stable-v1.0',
        entries: [{ name: 'brew.v1.0.0' }, { name: 'brew.v1.0.1', skips: ['brew.v1.0.0'] }],
      },
      {
        schema: 'olm.channel',
        package: 'brew',
        name: 'stable-v1.1',
        entries: [{ name: 'brew.v1.1.0', replaces: 'brew.v1.0.1', skips: ['brew.v1.0.0'] }],
      },
      { schema: 'olm.channel', package: 'brew', name: 'stable-v2.0', entries: [{ name: 'brew.v2.0.0' }] },
    ]);
    expect(objects.slice(4).map(({ name }) => name)).toEqual([
      'brew.v1.0.0',
      'brew.v1.0.1',
      'brew.v1.1.0',
      'brew.v2.0.0',
    ]);
  });

  test('semver: the default channel is the most stable one of the preferred kind', async () => {
    const channelsOf = async (fields: object) => {
      const objects = await renderText({
        schema: 'olm.semver',
        candidate: bundles('3.0.0'),
        fast: bundles('2.1.0'),
        ...fields,
      });
      const [{ defaultChannel } = {}] = objects;
      return [
        defaultChannel,
        ...objects.filter(({ schema }) => schema === 'olm.channel').map(({ name }) => name),
      ];
    };
    expect(await channelsOf({ generateMajorChannels: true })).toEqual(['fast-v2', 'candidate-v3', 'fast-v2']);
    const both = { generateMajorChannels: true, generateMinorChannels: true };
    expect((await channelsOf(both))[0]).toBe('fast-v2.1');
    expect((await channelsOf({ ...both, defaultChannelTypePreference: 'major' }))[0]).toBe('fast-v2');
  });

  test.each<[string, object, string]>([
    ['another schema', { schema: 'x' }, 'use olm.template.basic or olm.semver'],
    [
      'a bundle with properties',
      { schema: 'olm.template.basic', entries: [{ schema: 'olm.bundle', image: 'a', package: 'b' }] },
      'entries[0]',
    ],
    ['an entry without a schema', { schema: 'olm.template.basic', entries: [{ name: 'a' }] }, 'entries[0]'],
    ['entries that are not a list', { schema: 'olm.template.basic', entries: {} }, 'not a list'],
    ['an unknown field', { schema: 'olm.semver', stabel: bundles('1.0.0') }, 'unknown field "stabel"'],
    ['no bundles', { schema: 'olm.semver' }, 'no bundles'],
    ['bundles without an image', { schema: 'olm.semver', fast: { bundles: [{}] } }, 'fast.bundles'],
    ['wrong types', { schema: 'olm.semver', fast: { bundles: 1 } }, 'fast.bundles'],
    ['a flag that is a text', { schema: 'olm.semver', generateMajorChannels: 'yes' }, 'not true or false'],
    [
      'an unknown preference',
      { schema: 'olm.semver', defaultChannelTypePreference: 'x' },
      'not "major" or "minor"',
    ],
    [
      'a preference without channels',
      { schema: 'olm.semver', defaultChannelTypePreference: 'major' },
      'generates no major',
    ],
    ['a bundle twice', { schema: 'olm.semver', fast: bundles('1.0.0', '1.0.0') }, 'occurs twice'],
    [
      'versions without an order',
      { schema: 'olm.semver', fast: bundles('1.0.0', '1.0.0+1') },
      'cannot be ordered',
    ],
    [
      'several packages',
      { schema: 'olm.semver', fast: { bundles: [{ image: 'brew:v1.0.0' }, { image: 'tea:v2.0.0' }] } },
      'several packages',
    ],
  ])('with %s is refused', async (_, template, problem) => {
    await expect(renderText(template)).rejects.toThrow(problem);
  });
});
