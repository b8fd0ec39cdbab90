import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeBundle } from '../olm/catalog/small-bundle.ts';
import { RegistryServer } from '../support/registry-server.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let directory: string;
const ots = (...args: string[]) => run(directory, ['catalog', ...args]);
const image = 'registry.example.com/{package}-bundle:v{version}';

beforeEach(() => {
  directory = temporaryDirectory();
  for (const version of ['1.0.0', '1.1.0']) writeBundle(join(directory, version), version);
});

test('a template becomes a catalog that is valid, in YAML and JSON', async () => {
  const stable = { bundles: [{ image: 'registry.example.com/brew:old' }, { image: './1.1.0' }] };
  writeFileSync(join(directory, 'template.yaml'), JSON.stringify({ schema: 'olm.semver', stable }));
  const known = 'registry.example.com/brew:old=1.0.0';
  for (const format of ['yaml', 'json']) {
    const args = ['template.yaml', '--image', image, '--bundle', known, '--output', format];
    const { code, stdout, stderr } = await ots('render', ...args);
    expect([code, stderr]).toEqual([0, '']);
    mkdirSync(join(directory, format));
    writeFileSync(join(directory, format, 'catalog'), stdout);
    expect((await ots('validate', format)).stdout).toBe(
      `${format} is valid: 1 package, 2 channels, 2 bundles\n`,
    );
  }
  expect((await ots('graph', 'yaml')).stdout).toBe((await ots('graph', 'json')).stdout);
});

test('bundle directories become olm.bundle objects', async () => {
  const { code, stdout } = await ots('render', '1.1.0', '1.0.0', '--image', image, '-o', 'json');
  const names = Array.from(stdout.matchAll(/^ {2}"(?:name|image)": "(.*)"/gm), ([, name]) => name);
  expect([code, names]).toEqual([
    0,
    [
      'brew.v1.0.0',
      'registry.example.com/brew-bundle:v1.0.0',
      'brew.v1.1.0',
      'registry.example.com/brew-bundle:v1.1.0',
    ],
  ]);
  expect((await ots('render', '1.1.0')).stdout).toMatch(/^---\nimage: ""\nname: brew\.v1\.1\.0\n/);
});

describe('an image', () => {
  let registry: RegistryServer;
  let reference: string;

  beforeEach(async () => {
    registry = await RegistryServer.start();
    reference = `${registry.host}/brew-bundle:v1.0.0`;
    registry.push('brew-bundle', 'v1.0.0', { layers: [textsIn(join(directory, '1.0.0'))] });
  });
  afterEach(() => registry.close());

  test('is pulled, and is the image of its bundle', async () => {
    const known = await ots('render', '1.0.0', '--image', reference);
    expect(await ots('render', reference)).toEqual({ ...known, code: 0, stderr: '' });
    const mirrored = await ots('render', reference, '--image', 'mirror.example.com/{name}');
    expect(mirrored.stdout).toContain('image: mirror.example.com/brew.v1.0.0\n');
  });

  test('of a template is pulled, unless its directory is known', async () => {
    const entries = [{ schema: 'olm.bundle', image: reference }];
    const template = JSON.stringify({ schema: 'olm.template.basic', entries });
    writeFileSync(join(directory, 'template.yaml'), template);
    const pulled = await ots('render', 'template.yaml');
    expect(pulled).toMatchObject({ code: 0, stderr: '' });
    await registry.close();
    expect(await ots('render', 'template.yaml', '--bundle', `${reference}=1.0.0`)).toEqual(pulled);
    const { stderr } = await ots('render', 'template.yaml');
    expect(stderr).toMatch(/does not answer: .*\nhint: Push the image, or add --bundle 127\.0\.0\.1:/);
    registry = await RegistryServer.start();
  });
});

function textsIn(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(files.map((file) => [relative(root, file), readFileSync(file, 'utf8')]));
}

test.each<[string[], number, string]>([
  [[], 2, 'A bundle or a template is missing'],
  [['1.0.0', '-o', 'xml'], 1, '"xml" is not a format'],
  [['nowhere'], 1, '"nowhere" does not exist'],
  [['1.0.0', 'template.yaml'], 1, '"template.yaml" is not a directory'],
  [['1.0.0', '--image', 'A b'], 1, 'The image of 1.0.0'],
  [['1.0.0', '--bundle', 'x'], 2, '"x" is not an image and its directory'],
  [['template.yaml'], 1, 'The reference of the image is "Brew:v1"'],
  [['broken.yaml'], 1, 'broken.yaml: the template cannot be read'],
  [['empty'], 1, 'has no ClusterServiceVersion'],
])('refuses %j', async (args, code, message) => {
  mkdirSync(join(directory, 'empty'));
  writeFileSync(join(directory, 'broken.yaml'), 'a: b: c\n');
  const entries = [{ schema: 'olm.bundle', image: 'Brew:v1' }];
  writeFileSync(join(directory, 'template.yaml'), JSON.stringify({ schema: 'olm.template.basic', entries }));
  const result = await ots('render', ...args);
  expect([result.code, result.stdout]).toEqual([code, '']);
  expect(result.stderr).toMatch(/^error: .*\nhint: .*\n$/);
  expect(result.stderr).toContain(message);
});

describe('ots catalog build', () => {
  const template = (value: object) => writeFileSync(join(directory, 'template.yaml'), JSON.stringify(value));
  const build = (...args: string[]) => ots('build', 'template.yaml', '--image', image, ...args);
  beforeEach(() => template({ schema: 'olm.semver', stable: { bundles: [{ image: '1.0.0' }] } }));

  test('writes a valid catalog and a Dockerfile, and keeps an edited Dockerfile', async () => {
    expect((await build('--dry-run')).stdout).toContain('dry run: nothing written');
    expect(existsSync(join(directory, 'catalog'))).toBe(false);
    const { code, stdout } = await build();
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^create catalog\/catalog\.yaml\ncreate catalog\.Dockerfile\n2 created\n[^]*docker build -f catalog\.Dockerfile/,
      ),
    ]);
    expect((await ots('validate', 'catalog')).code).toBe(0);
    const dockerfile = join(directory, 'catalog.Dockerfile');
    expect(readFileSync(dockerfile, 'utf8')).toContain(
      'LABEL operators.operatorframework.io.index.configs.v1=/configs\n',
    );
    writeFileSync(dockerfile, 'FROM scratch\n');
    expect((await build()).stdout).toContain('everything is up to date');
    expect(readFileSync(dockerfile, 'utf8')).toBe('FROM scratch\n');
  });

  test('writes nothing when the catalog would be invalid', async () => {
    template({ schema: 'olm.template.basic', entries: [{ schema: 'olm.bundle', image: '1.0.0' }] });
    const { code, stdout, stderr } = await build();
    expect([code, stdout]).toEqual([1, expect.stringContaining('(unknown-package, line 2)')]);
    expect(stderr).toContain('error: The catalog would be invalid; nothing was written');
    expect(readdirSync(directory).toSorted()).toEqual(['1.0.0', '1.1.0', 'template.yaml']);
    expect(JSON.parse((await build('--json')).stdout).error.details.findings).toMatchObject([
      { type: 'unknown-package' },
    ]);
  });

  test.each([
    ['none/catalog', 'none does not exist'],
    ['template.yaml', 'template.yaml is not a directory'],
  ])('refuses --directory %s', async (name, message) => {
    const { code, stderr } = await build('--directory', name);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(readdirSync(directory).toSorted()).toEqual(['1.0.0', '1.1.0', 'template.yaml']);
  });
});
