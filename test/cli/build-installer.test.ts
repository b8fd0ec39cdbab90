import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type BuildInstallerOptions, buildInstaller } from '../../src/commands/deploy/build-installer.ts';
import { parseObjects } from '../../src/deploy/kustomize.ts';
import { runOnCluster } from '../support/cluster-run.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const installer = 'dist/install.yaml';
let project: TestProject;

beforeAll(async () => {
  project = await testProject();
});

const build = (options: BuildInstallerOptions = {}, env: NodeJS.ProcessEnv = {}) => {
  const cwd = project.directory;
  return runOnCluster(buildInstaller, { cwd, ...options }, { cwd, env });
};
const read = () => readFileSync(join(project.directory, installer), 'utf8');
const imagesIn = (text: string) => Array.from(text.matchAll(/^\s+image: (.*)$/gm), ([, image]) => image);

test('writes the objects to dist/install.yaml, and nothing if they are there', async () => {
  const first = await build();
  expect(first).toEqual({
    code: 0,
    stdout: `create ${installer}\n1 created\n\nNext:\n  kubectl apply --server-side -f ${installer}\n`,
    stderr: '',
  });
  expect(parseObjects(read()).map(({ kind }) => kind)).toContain('Deployment');
  expect((await build()).stdout).toMatch(/is up to date/);
  expect(readdirSync(join(project.directory, 'dist'))).toEqual(['install.yaml']);
});

test('--image wins over IMG, and changes nothing but the image', async () => {
  await build();
  const before = read();
  const { stdout } = await build({ dryRun: true }, { IMG: 'registry.example.com:5000/ship:v1' });
  expect(stdout).toMatch(/^\+ +image: registry\.example\.com:5000\/ship:v1$/m);
  expect(read()).toBe(before);
  await build({ image: 'ship:v2' }, { IMG: 'ship:v1' });
  expect(imagesIn(read())).toEqual(['ship:v2']);
  expect(read().replace('ship:v2', 'controller:latest')).toBe(before);
  await build({}, { IMG: '' });
  expect(imagesIn(read())).toEqual(['controller:latest']);
});

test('an image that is not one, and a Deployment without a manager, are refused', async () => {
  expect((await build({ image: 'Not an image' })).stderr).toMatch(
    /^error: The image "Not an image" cannot be used/,
  );
  const cwd = project.directory;
  const { stderr } = await runOnCluster(buildInstaller, { cwd, image: 'a:b' }, {}, () =>
    Promise.resolve('apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n'),
  );
  expect(stderr).toMatch(
    /^error: The objects have no Deployment "controller-manager" .*\nhint: Set the image/,
  );
});

test('--output names another file, or standard output', async () => {
  const text = await build({ output: '-' });
  expect(parseObjects(text.stdout).length).toBeGreaterThan(5);
  const list = JSON.parse((await build({ output: '-', json: true })).stdout);
  expect(list).toMatchObject({ kind: 'List', items: expect.arrayContaining([]) });
  await build({ output: 'operator.yaml' });
  expect(existsSync(join(project.directory, 'operator.yaml'))).toBe(true);
  expect((await build({ output: 'nowhere/operator.yaml' })).stderr).toMatch(
    /^error: The directory .*nowhere does not exist\nhint: /,
  );
});
