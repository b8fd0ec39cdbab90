import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { copyOf } from '../support/copy-of.ts';
import { type Turn, converse, enterKey } from '../support/converse.ts';
import { snapshot } from '../support/snapshot.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const baseFile = 'config/manifests/bases/ship.clusterserviceversion.yaml';
const kustomization = 'config/manifests/kustomization.yaml';
const typesFile = 'src/api/v1/captain.ts';
const generate = ['generate', 'kustomize-manifests'];
const answers = [
  '--display-name',
  'Ship',
  '--description',
  'Sails ships.',
  '--provider-name',
  'Acme Ltd',
].concat([
  '--keywords',
  'ship, sail,ship',
  '--maintainers',
  'Ada Lovelace:ada@example.com, Bob:bob@example.com',
]);

let bare: TestProject;
/** With a base. */
let described: TestProject;
beforeAll(async () => {
  const api = ['create', 'api', '--group', 'crew', '--version', 'v1', '--kind', 'Captain'];
  bare = await testProject(api);
  described = await testProject(api, [...generate, ...answers]);
});

const specIn = (text: string) => parse(text).spec;

describe('the first run', () => {
  test('writes the base and the kustomization from flags', async () => {
    const copy = copyOf(described);
    expect(parse(copy.read(kustomization)).resources).toEqual([
      'bases/ship.clusterserviceversion.yaml',
      '../default',
      '../samples',
    ]);
    expect(parse(copy.read(baseFile))).toMatchObject({
      kind: 'ClusterServiceVersion',
      metadata: { name: 'ship.v0.0.0', annotations: { capabilities: 'Basic Install' } },
      spec: {
        displayName: 'Ship',
        description: 'Sails ships.',
        provider: { name: 'Acme Ltd' },
        keywords: ['ship', 'sail'],
        maintainers: [
          { name: 'Ada Lovelace', email: 'ada@example.com' },
          { name: 'Bob', email: 'bob@example.com' },
        ],
        customresourcedefinitions: {
          owned: [
            {
              kind: 'Captain',
              name: 'captains.crew.example.com',
              version: 'v1',
              displayName: 'Captain',
              description: 'Captain is an API of ship.',
            },
          ],
        },
      },
    });
    expect(specIn(copy.read(baseFile)).icon).toBeUndefined();
  });

  test('asks on a terminal, also what is optional', async () => {
    const copy = copyOf(bare);
    const turns: Turn[] = [
      ['name of the operator', `Ship Operator${enterKey}`],
      ['What does', `Sails${enterKey}`],
      ['Who provides', `Acme${enterKey}`],
      ['web page', enterKey],
      ['keywords', `ship${enterKey}`],
      ['Who maintains', `Ada${enterKey}`],
      ['name is missing', `:ada@example.com${enterKey}`],
    ];
    const { code, left, stdout } = await converse(copy.directory, generate, turns);
    expect({ code, left }).toEqual({ code: 0, left: 0 });
    expect(stdout).toContain(`create ${baseFile}\n`);
    const spec = specIn(copy.read(baseFile));
    expect(spec).toMatchObject({ displayName: 'Ship Operator', provider: { name: 'Acme' } });
    expect(spec.maintainers).toEqual([{ name: 'Ada', email: 'ada@example.com' }]);
    expect(spec.provider).not.toHaveProperty('url');
    const again = await converse(copy.directory, generate, []);
    expect(again.stdout).toMatch(/^Nothing to do/);
  });

  test('names all missing flags without a terminal, and writes nothing', async () => {
    const before = snapshot(bare.directory);
    for (const more of [[], ['--interactive=false'], ['--interactive']]) {
      const { code, stderr } = await bare.run(...generate, '--provider-name', 'Acme', ...more);
      expect({ more, code }).toEqual({ more, code: 2 });
      expect(stderr).toMatch(/--display-name.*--keywords.*--maintainers/s);
    }
    expect((await bare.run(...generate)).stderr).toMatch(
      /^error: --display-name, --description, --provider-name, --keywords, --maintainers are missing\n/,
    );
    expect(snapshot(bare.directory)).toEqual(before);
  });

  test('supports the install mode of the project', async () => {
    const copy = copyOf(bare);
    const supported = () =>
      specIn(copy.read(baseFile)).installModes.flatMap((mode: { type: string; supported: boolean }) =>
        mode.supported ? mode.type : [],
      );
    await copy.run(...generate, ...answers);
    expect(supported()).toEqual(['AllNamespaces']);
    rmSync(join(copy.directory, baseFile));
    await copy.succeed('edit', '--namespaced');
    await copy.run(...generate, ...answers);
    expect(supported()).toEqual(['OwnNamespace']);
  });

  test('--dry-run writes nothing, and --json lists the files', async () => {
    const before = snapshot(bare.directory);
    const { stdout } = await bare.run(...generate, ...answers, '--dry-run', '--json');
    const paths = JSON.parse(stdout).changes.map(({ path }: { path: string }) => path);
    expect(paths).toEqual([baseFile, kustomization]);
    expect(snapshot(bare.directory)).toEqual(before);
  });
});

describe('a later run', () => {
  const tagged = `/**
 * Captain steers.
 * @olm Ship Captain order=1 resources=Deployment/v1`;

  test('writes nothing if nothing changed', async () => {
    const copy = copyOf(described);
    expect((await copy.run(...generate)).stdout).toMatch(/^Nothing to do/);
  });

  test('refreshes what the sources say, and keeps the text of the author', async () => {
    const copy = copyOf(described);
    const text = copy
      .read(baseFile)
      .replace(
        '  description: Sails ships.\n',
        '  description: "Mine" # my comment\n  minKubeVersion: 1.29.0\n',
      )
      .replace(
        '      kind: Captain\n',
        '      kind: Captain # the first\n      resources:\n      - {kind: Pod, version: v1}\n',
      );
    copy.write(baseFile, text);
    copy.change(typesFile, (types) =>
      types
        .replace(/\/\*\*\n \* Captain is an API of ship\./, tagged.replace(' resources=Deployment/v1', ''))
        .replace('* @minLength 1\n', '* @olm Greeting xDescriptors=text\n   * @minLength 1\n'),
    );
    expect((await copy.run(...generate)).stdout).toContain(`update ${baseFile}\n`);
    const after = copy.read(baseFile);
    expect(after).toContain('  description: "Mine" # my comment\n  minKubeVersion: 1.29.0\n');
    expect(after).toContain('kind: Captain # the first\n');
    const [owned] = specIn(after).customresourcedefinitions.owned;
    expect(owned).toMatchObject({
      description: 'Captain steers.',
      displayName: 'Ship Captain',
      resources: [{ kind: 'Pod', version: 'v1' }],
      specDescriptors: [
        {
          path: 'message',
          displayName: 'Greeting',
          'x-descriptors': ['urn:alm:descriptor:com.tectonic.ui:text'],
        },
      ],
    });
    copy.change(typesFile, (types) =>
      types.replace('Captain order=1', 'Captain order=1 resources=Deployment/v1'),
    );
    await copy.run(...generate);
    expect(specIn(copy.read(baseFile)).customresourcedefinitions.owned[0].resources).toEqual([
      { kind: 'Deployment', version: 'v1', name: '' },
    ]);
    const last = snapshot(copy.directory);
    await copy.run(...generate);
    expect(snapshot(copy.directory)).toEqual(last);
  });

  test('keeps descriptors without a tag, and removes those of fields that are gone', async () => {
    const copy = copyOf(described);
    copy.change(baseFile, (text) =>
      text.replace(
        '      version: v1\n',
        '      specDescriptors:\n      - path: replicas # mine\n      - path: gone.field\n      version: v1\n',
      ),
    );
    const { stdout } = await copy.run(...generate);
    expect(stdout).toContain('removed the descriptor of spec.gone.field: Captain v1 does not have the field');
    expect(copy.read(baseFile)).toContain('      - path: replicas # mine\n      version: v1\n');
  });

  test('orders kinds, and keeps entries of others at their place', async () => {
    const copy = copyOf(described);
    const gvk = ['--group', 'crew', '--kind', 'Anchor', '--version', 'v1', '--controller=false'];
    expect(await copy.run('create', 'api', ...gvk)).toMatchObject({ code: 0 });
    copy.change(typesFile, (types) => types.replace('/**\n * Captain is an API of ship.', tagged));
    copy.change(baseFile, (text) =>
      text.replace(
        '    owned:\n',
        '    owned:\n    - {name: other.example.com, kind: Other, version: v1} # theirs\n',
      ),
    );
    await copy.run(...generate);
    const text = copy.read(baseFile);
    expect(specIn(text).customresourcedefinitions.owned.map(({ kind }: { kind: string }) => kind)).toEqual([
      'Other',
      'Captain',
      'Anchor',
    ]);
    expect(text).toContain('# theirs\n');
  });

  test('changes what flags say', async () => {
    const copy = copyOf(described);
    copy.write(
      'icon.txt',
      '<?xml version="1.0"?>\n<!-- an icon -->\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    );
    const flags = [
      '--icon',
      'icon.txt',
      '--provider-url',
      'https://acme.example.com',
      '--min-kube-version',
      '1.29.0',
    ];
    await copy.run(...generate, ...flags, '--keywords', 'sea');
    expect(specIn(copy.read(baseFile))).toMatchObject({
      displayName: 'Ship',
      keywords: ['sea'],
      provider: { name: 'Acme Ltd', url: 'https://acme.example.com' },
      minKubeVersion: '1.29.0',
      icon: [
        { mediatype: 'image/svg+xml', base64data: Buffer.from(copy.read('icon.txt')).toString('base64') },
      ],
    });
    await copy.run(...generate, '--provider-url', '');
    expect(specIn(copy.read(baseFile)).provider).toEqual({ name: 'Acme Ltd' });
  });

  test('asks again with --interactive, with the answers of the base', async () => {
    const copy = copyOf(described);
    const turns: Turn[] = [
      ['name of the operator', ` 2${enterKey}`],
      ['What does', enterKey],
      ['Who provides', enterKey],
      ['web page', enterKey],
      ['keywords', enterKey],
      ['Who maintains', enterKey],
    ];
    const { code, left } = await converse(copy.directory, [...generate, '--interactive'], turns);
    expect({ code, left }).toEqual({ code: 0, left: 0 });
    const before = specIn(copyOf(described).read(baseFile));
    expect(specIn(copy.read(baseFile))).toEqual({ ...before, displayName: 'Ship 2' });
  });

  test('keeps the kustomization of the author', async () => {
    const copy = copyOf(described);
    copy.write(kustomization, 'resources: [../default]\n');
    expect((await copy.run(...generate)).stdout).toMatch(/^Nothing to do/);
  });
});

describe('bad input is refused, and nothing is written:', () => {
  test.each([
    [['--display-name', ' '], 1, /^error: The answer is empty/],
    [['--maintainers', 'Ada'], 1, /"Ada" is not a maintainer: the name is missing/],
    [['--maintainers', 'Ada:x@example.com,Bob:'], 1, /"Bob:" is not a maintainer: the mail address is not/],
    [['--keywords', ', '], 1, /There is no keyword/],
    [['--provider-url', 'javascript:alert(1)'], 1, /not a URL/],
    [['--min-kube-version', '1.29'], 1, /"1\.29" is not a version of Kubernetes/],
    [['--icon', 'nothing.png'], 1, /"nothing\.png" of --icon is not a file/],
    [['--icon', 'config'], 1, /"config" of --icon is not a file/],
    [['--icon', 'package.json'], 1, /not a GIF, JPEG, PNG or SVG image/],
    [['--package', '../x'], 1, /"\.\.\/x" cannot be the name of a package/],
  ])('%j', async (flags, code, message) => {
    const before = snapshot(described.directory);
    const result = await described.run(...generate, ...flags);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).toMatch(/^error: .+\nhint: .+\n$/);
    expect(snapshot(described.directory)).toEqual(before);
  });

  const csv = 'kind: ClusterServiceVersion\n';
  test.each([
    ['', /is not a ClusterServiceVersion/],
    ['- 1\n', /is not a ClusterServiceVersion/],
    ['kind: Deployment\n', /is not a ClusterServiceVersion/],
    [`${csv}spec: [1]\n`, /has a spec that is not a map/],
    [`${csv}metadata: text\n`, /has a metadata that is not a map/],
    [
      `${csv}spec: {customresourcedefinitions: 7}\n`,
      /has a spec\.customresourcedefinitions that is not a map/,
    ],
    [`${csv}a: "\n`, /is not valid YAML/],
    [`${csv}---\n${csv}`, /has several YAML documents/],
    [`${csv}a: ${'['.repeat(300)}${']'.repeat(300)}\n`, /nests or repeats values too often/],
    [
      `${csv}a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n`,
      /nests or repeats/,
    ],
  ])('the base %j', async (text, message) => {
    const copy = copyOf(described);
    copy.write(baseFile, text);
    const before = snapshot(copy.directory);
    const { code, stderr } = await copy.run(...generate);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(new RegExp(`^error: ${baseFile} .+\nhint: .+\n$`));
    expect(snapshot(copy.directory)).toEqual(before);
  });

  test('owned entries and descriptors of wrong types are kept', async () => {
    const copy = copyOf(described);
    const owned =
      '[7, {name: captains.crew.example.com, kind: Captain, version: v1, specDescriptors: {}, __proto__: 1}]';
    copy.write(baseFile, `${csv}spec: {customresourcedefinitions: {owned: ${owned}}}\n`);
    expect(await copy.run(...generate)).toMatchObject({ code: 0, stderr: '' });
    expect(specIn(copy.read(baseFile)).customresourcedefinitions.owned).toHaveLength(2);
  });

  test('errors in the sources', async () => {
    const copy = copyOf(described);
    copy.change(typesFile, (types) => types.replace('* @minLength 1', '* @olm resources=Pod'));
    const before = snapshot(copy.directory);
    expect(await copy.run(...generate)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unknown argument resources'),
    });
    expect(snapshot(copy.directory)).toEqual(before);
  });

  test('a link out of the project in place of the base', async () => {
    const [copy, other] = [copyOf(bare), copyOf(bare)];
    other.write('elsewhere.yaml', csv);
    mkdirSync(dirname(join(copy.directory, baseFile)), { recursive: true });
    symlinkSync(join(other.directory, 'elsewhere.yaml'), join(copy.directory, baseFile));
    const { code, stderr } = await copy.run(...generate, ...answers);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .+\nhint: .+\n$/);
    expect(other.read('elsewhere.yaml')).toBe(csv);
  });
});
