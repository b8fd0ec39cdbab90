import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { generateBundleFiles } from '../../src/commands/generate/generate-bundle.ts';
import type { GenerateBundleOptions } from '../../src/commands/generate/bundle-options.ts';
import type { Context } from '../../src/context.ts';
import { base, deployment, object, yaml } from '../olm/generate/inputs.ts';
import { buildOf, runOnCluster } from '../support/cluster-run.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const csvFile = 'bundle/manifests/fleet.clusterserviceversion.yaml';
const annotationsFile = 'bundle/metadata/annotations.yaml';
let directory: string;

beforeEach(() => {
  directory = temporaryDirectory();
  write('PROJECT', 'projectName: fleet\nlayout: [typescript.ots/v1]\n');
  write('config/manifests/bases/fleet.clusterserviceversion.yaml', yaml(base()));
  write('all.yaml', yaml(deployment(), object('v1', 'Service', 'bell', { spec: { ports: [{ port: 1 }] } })));
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

const read = (path: string) => readFileSync(join(directory, path), 'utf8');

const generate = (options: GenerateBundleOptions = {}, context: Partial<Context> = {}) =>
  runOnCluster(
    generateBundleFiles,
    { input: 'all.yaml', version: '0.1.0', ...options },
    { cwd: directory, ...context },
  );

test('writes the bundle, and nothing the second time, a year later', async () => {
  const { code, stdout, stderr } = await generate();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    'create bundle.Dockerfile',
    'create bundle/manifests/bell_v1_service.yaml',
    `create ${csvFile}`,
    `create ${annotationsFile}`,
  ]);
  expect(parse(read(csvFile))).toMatchObject({
    metadata: {
      name: 'fleet.v0.1.0',
      annotations: {
        createdAt: '2026-01-01T00:00:00Z',
        'operators.operatorframework.io/project_layout': 'typescript.ots/v1',
      },
    },
  });
  const files = snapshot(directory);
  const later = { now: () => new Date('2027-01-01T00:00:00Z') };
  expect((await generate({}, later)).stdout).toMatch(/^Nothing to do: everything is up to date\n/);
  expect(snapshot(directory)).toEqual(files);
  write('all.yaml', yaml(deployment([{ name: 'A', value: 'b' }])));
  await generate({}, later);
  expect(read(csvFile)).toContain('createdAt: "2027-01-01T00:00:00Z"');
  await generate({ version: '0.2.0' }, { ...later, env: { SOURCE_DATE_EPOCH: '0' } });
  expect(read(csvFile)).toContain('createdAt: "1970-01-01T00:00:00Z"');
});

test('sets the image of the manager from the flag, or from IMG if it builds config/manifests', async () => {
  const image = () =>
    parse(read(csvFile)).spec.install.spec.deployments[0].spec.template.spec.containers[0].image;
  const manager = yaml(deployment([], 'fleet-controller-manager')).replace('name: main', 'name: manager');
  write('all.yaml', manager);
  write('config/manifests/kustomization.yaml', '');
  const env = { IMG: 'example.com/fleet:v2' };
  await generate({}, { env });
  expect(image()).toBe('boats:1');
  await generate({ image: 'example.com/fleet:v3' }, { env });
  expect(image()).toBe('example.com/fleet:v3');
  const run = { cwd: directory, env };
  await runOnCluster(generateBundleFiles, { version: '0.1.0' }, run, () => Promise.resolve(manager));
  expect(image()).toBe('example.com/fleet:v2');
  const refused = async (options: GenerateBundleOptions) => (await generate(options)).stderr;
  expect(await refused({ image: 'no image!' })).toMatch(/^error: The image "no image!" cannot be used/);
  expect(await refused({ image: 'fleet', input: 'config/manifests/bases' })).toMatch(
    /^error: The objects have no/,
  );
  write('several/a.yaml', manager);
  write('several/b.yaml', manager);
  expect(await refused({ image: 'fleet', input: 'several' })).toMatch(/^error: --image excludes/);
});

test('--dry-run and --stdout write no manifest', async () => {
  const before = snapshot(directory);
  expect((await generate({ dryRun: true })).stdout).toContain('4 to create (dry run: nothing written)');
  expect(snapshot(directory)).toEqual(before);
  const { stdout } = await generate({ stdout: true, manifests: true });
  expect(stdout).toMatch(
    /^---\napiVersion: operators\.coreos\.com\/v1alpha1\n[^]*\n---\napiVersion: v1\nkind: Service\n/,
  );
  expect(snapshot(directory)).toEqual(before);
  expect((await generate({ stdout: true, json: true })).code).toBe(2);
});

test('annotations, labels and instructions of the author survive; those of ots do not', async () => {
  await generate({ channels: ['stable', 'fast'], defaultChannel: 'fast' });
  expect(read(annotationsFile)).toContain('channel.default.v1: fast\n');
  const labels = '  # for OpenShift\n  com.redhat.openshift.versions: v4.18\nproperties: [1]\n';
  write(annotationsFile, read(annotationsFile) + labels);
  const license = '# the license\nCOPY LICENSE \\\n  /licenses/\n';
  write('bundle.Dockerfile', `${read('bundle.Dockerfile')}LABEL maintainer=ada\n${license}`);
  await generate();
  expect(parse(read(annotationsFile))).toEqual({
    annotations: expect.objectContaining({
      'com.redhat.openshift.versions': 'v4.18',
      'operators.operatorframework.io.bundle.channels.v1': 'alpha',
    }),
    properties: [1],
  });
  expect(read(annotationsFile)).toContain('# for OpenShift');
  expect(read('bundle.Dockerfile')).toMatch(
    /\nLABEL maintainer=ada\n# the license\nCOPY LICENSE \\\n {2}\/licenses\/\n$/,
  );
  expect(`${read(annotationsFile)}${read('bundle.Dockerfile')}`).not.toMatch(/fast|default/);
  const files = snapshot(directory);
  expect((await generate()).stdout).toMatch(/^Nothing to do/);
  expect(snapshot(directory)).toEqual(files);
});

test('--overwrite=false keeps metadata that is there', async () => {
  write(annotationsFile, 'annotations: {}\n');
  await generate({ overwrite: false });
  expect(read(annotationsFile)).toBe('annotations: {}\n');
  expect(snapshot(directory)).not.toHaveProperty(['bundle.Dockerfile']);
});

test('reports what is left out, and with --strict fails and writes nothing', async () => {
  write('all.yaml', yaml(deployment(), object('batch/v1', 'CronJob', 'clean')));
  const before = snapshot(directory);
  const { code, stderr } = await generate({ strict: true });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'error: The bundle would not be complete: CronJob clean is left out: a bundle cannot contain objects of this kind\n' +
      'hint: Change the kustomization in config/manifests, or run the command without --strict.\n',
  });
  expect(snapshot(directory)).toEqual(before);
  expect((await generate()).stdout).toContain('note: CronJob clean is left out');
});

test('names manifests in the bundle that it did not generate', async () => {
  write('bundle/manifests/old.yaml', 'kind: Old\n');
  expect((await generate()).stdout).toContain('note: bundle/manifests/old.yaml is part of the bundle');
});

test('refuses a bundle of another package', async () => {
  await generate();
  expect((await generate({ package: 'other' })).stderr).toBe(
    `error: ${csvFile} belongs to another package, and a bundle has one ClusterServiceVersion\n` +
      `hint: Remove ${csvFile}, or choose another directory with --output-dir.\n`,
  );
});

test('reads standard input only for -, directories, and config/manifests without a flag', async () => {
  const stdin = new PassThrough();
  stdin.end(yaml(deployment([], 'piped')));
  await generate({ input: '-' }, { stdin: stdin as unknown as NodeJS.ReadStream });
  expect(read(csvFile)).toContain('name: piped');
  mkdirSync(join(directory, 'deploy/below'), { recursive: true });
  write('deploy/below/one.yaml', yaml(deployment([], 'below')));
  write('deploy/notes.txt', '{');
  await generate({ input: 'deploy' });
  expect(read(csvFile)).toContain('name: below');
  write('config/manifests/kustomization.yaml', 'resources: []\n');
  const context = { cwd: directory };
  const build = buildOf([deployment([], 'built')]);
  const { code } = await runOnCluster(generateBundleFiles, { version: '0.1.0' }, context, build);
  expect(code).toBe(0);
  expect(read(csvFile)).toContain('name: built');
});

test('says what to do when neither kubectl nor kustomize is there', async () => {
  write('config/manifests/kustomization.yaml', 'resources: []\n');
  const noPrograms = { cwd: directory, env: { PATH: '' } };
  const { stderr } = await runOnCluster(
    (options: GenerateBundleOptions, context) => generateBundleFiles(options, context),
    {},
    noPrograms,
  );
  expect(stderr).toBe(
    'error: Neither kubectl nor kustomize is installed\n' +
      'hint: Install kubectl, which contains kustomize, and add its directory to PATH.\n',
  );
});

test.each<[string, GenerateBundleOptions, number, RegExp]>([
  ['no input', { input: 'none.yaml' }, 1, /^error: "none\.yaml" of --input does not exist\n/],
  ['a version', { version: 'v0.1' }, 1, /^error: "v0\.1" is not a semantic version\nhint: Name three/],
  ['a leading zero', { version: '0.01.0' }, 1, /is not a semantic version/],
  ['a channel', { channels: ['a b'] }, 1, /^error: "a b" cannot be the name of a channel/],
  ['a package', { package: '../x' }, 1, /^error: "\.\.\/x" cannot be the name of a package/],
  [
    'a directory outside',
    { outputDir: '../x' },
    1,
    /^error: "\.\.\/x" cannot be the directory of the bundle/,
  ],
  ['the sources', { outputDir: 'src' }, 1, /cannot be the directory of the bundle/],
])('refuses %s', async (_, options, code, message) => {
  const before = snapshot(directory);
  const result = await generate(options);
  expect(result).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) as string });
  expect(snapshot(directory)).toEqual(before);
});

test('refuses names that leave the bundle, and links that leave the project', async () => {
  write('all.yaml', yaml(deployment(), object('v1', 'ConfigMap', '../../x')));
  expect((await generate()).stderr).toMatch(/^error: ConfigMap \.\.\/\.\.\/x \(all\.yaml:\d+\) has no name/);
  write('all.yaml', yaml(deployment()));
  symlinkSync(dirname(directory), join(directory, 'bundle'));
  expect((await generate()).stderr).toMatch(/^error: bundle\/.* is outside the project\n/);
});

test('needs no project, but a name', async () => {
  rmSync(join(directory, 'PROJECT'));
  expect(await generate()).toMatchObject({ code: 2, stderr: expect.stringMatching(/--package/) as string });
  expect((await generate({ package: 'fleet' })).code).toBe(0);
  expect(read('bundle.Dockerfile')).toContain('project_layout=unknown\n');
});
