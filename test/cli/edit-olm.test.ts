import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { copyOf } from '../support/copy-of.ts';
import { filesOf } from '../support/files-of.ts';
import { run } from '../support/run.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const edit = ['edit', '--olm'];
const captain = ['create', 'api', '--group', 'crew', '--version', 'v1', '--kind', 'Captain'];
const names = ['bundle', 'bundle-build', 'bundle-push', 'catalog-build', 'catalog-push'];
const kustomization = 'config/manifests/kustomization.yaml';

let project: TestProject;
beforeAll(async () => {
  project = await testProject(captain);
});

const resources = (text: string): string[] => parse(text).resources;

test('adds the files, the scripts, the targets and the plugin, once', async () => {
  const copy = copyOf(project);
  await copy.succeed(...edit);
  const { scripts } = JSON.parse(copy.read('package.json'));
  expect(Object.keys(scripts).slice(-5)).toEqual(names);
  const makefile = copy.read('Makefile');
  for (const name of names) expect(makefile).toContain(`\n.PHONY: ${name}\n${name}: ## `);
  expect(parse(copy.read('PROJECT')).plugins).toEqual({ 'olm.ots/v1': {} });
  expect(resources(copy.read(kustomization))).toEqual([
    'bases/ship.clusterserviceversion.yaml',
    '../default',
    '../samples',
    '../scorecard',
  ]);
  expect(copy.read('.dockerignore')).toMatch(/\n!bundle\n!catalog\n$/);
  const files = snapshot(copy.directory);
  expect(await copy.succeed(...edit)).toMatch(/^Nothing to do/);
  expect(snapshot(copy.directory)).toEqual(files);
});

test('init --olm and a kind make the same project as a kind and edit --olm', async () => {
  const directory = temporaryDirectory();
  const init = ['init', '--skip-install', '--domain', 'example.com', '--project-name', 'ship', '--olm'];
  for (const args of [init, captain])
    expect(await run(directory, args)).toMatchObject({ code: 0, stderr: '' });
  const copy = copyOf(project);
  await copy.succeed(...edit);
  const [made, edited] = [filesOf(directory), filesOf(copy.directory)];
  expect(resources(made[kustomization]!).toSorted()).toEqual(resources(edited[kustomization]!).toSorted());
  for (const files of [made, edited]) for (const path of [kustomization, 'PROJECT']) delete files[path];
  expect(made).toEqual(edited);
});

test('keeps what the author wrote, and adds only what is missing', async () => {
  const copy = copyOf(project);
  copy.change('package.json', (text) =>
    text
      .replace('"start": "ots run",', '"start": "ots run",\n    "bundle": "mine",')
      .replaceAll('\n', '\r\n'),
  );
  copy.change('Makefile', (text) => `${text}\n# mine\nbundle: FORCE\n\techo mine`);
  copy.write('config/scorecard/bases/config.yaml', '# mine\n');
  copy.write('scripts/bundle.mjs', '// mine\n');
  copy.write(kustomization, '# mine\nresources:\n- ../default # mine\n');
  copy.write('PROJECT', `${copy.read('PROJECT')}plugins:\n  other/v1:\n    a: 1 # mine\n`);
  await copy.succeed(...edit);
  const { scripts } = JSON.parse(copy.read('package.json'));
  expect(scripts).toMatchObject({ bundle: 'mine', 'bundle-build': 'node scripts/bundle.mjs build' });
  expect(copy.read('package.json').replaceAll('\r\n', '')).not.toContain('\n');
  expect(copy.read('Makefile').match(/^bundle:/gm)).toHaveLength(1);
  expect(copy.read('Makefile')).toContain('\techo mine\n\n##@ Operator Lifecycle Manager\n');
  expect(copy.read('config/scorecard/bases/config.yaml')).toBe('# mine\n');
  expect(copy.read('scripts/bundle.mjs')).toBe('// mine\n');
  expect(copy.read(kustomization)).toBe('# mine\nresources:\n- ../default # mine\n- ../scorecard\n');
  expect(copy.read('PROJECT')).toContain('  olm.ots/v1: {}\n  other/v1:\n    a: 1 # mine\n');
  // The author does not want it, and keeps that.
  copy.write(kustomization, 'resources: [../default]\n');
  expect(await copy.succeed(...edit)).toMatch(/^Nothing to do/);
});

test('leaves the certificate of webhooks to OLM, once, if the manager issues it', async () => {
  const component = '../webhook/olm-certificate';
  const webhook = ['create', 'webhook', ...captain.slice(2), '--defaulting'];
  const [before, after, other] = [copyOf(project), copyOf(project), copyOf(project)];
  await before.succeed(...edit);
  expect(parse(before.read(kustomization)).components).toBeUndefined();
  for (const args of [webhook, edit]) await before.succeed(...args);
  for (const args of [webhook, edit, edit]) await after.succeed(...args);
  for (const made of [before, after]) expect(parse(made.read(kustomization)).components).toEqual([component]);
  after.change(kustomization, (text) => text.replace(`  - ${component}\n`, ''));
  expect(await after.succeed(...edit)).toMatch(/^Nothing to do/);
  await other.succeed(...webhook);
  other.change('config/default/kustomization.yaml', (text) =>
    text.replace('\n  - ../certificates\n', '\n  - ../certmanager\n'),
  );
  await other.succeed(...edit);
  expect(parse(other.read(kustomization)).components).toBeUndefined();
});

test.each([
  ['package.json', '{}', 'INVALID_JSON'],
  ['package.json', '{"scripts": [1]}', 'INVALID_JSON'],
  ['package.json', 'nonsense', 'INVALID_JSON'],
  [kustomization, 'resources: text\n', 'INVALID_YAML'],
])('%s with %j is refused', async (path, text, code) => {
  const copy = copyOf(project);
  copy.write(path, text);
  expect((await copy.refuse(...edit)).code).toBe(code);
});

test('works with an empty list of scripts, and without a Makefile', async () => {
  const copy = copyOf(project);
  copy.write('package.json', '{\n  "name": "ship",\n  "scripts": {}\n}\n');
  await copy.succeed(...edit);
  expect(copy.read('package.json')).toMatch(
    /"scripts": \{\n {4}"bundle": "node [^]*"catalog-push": "node scripts\/bundle\.mjs push-catalog"\n {2}\}\n\}\n$/,
  );
});

describe('scripts/bundle.mjs', () => {
  /** Runs a task with programs that print how they are called. */
  async function calls(task: string, env: Record<string, string> = {}, fails = ''): Promise<string[]> {
    const copy = copyOf(project);
    await copy.succeed(...edit);
    for (const program of ['ots', 'docker', 'podman']) {
      copy.write(`bin/${program}`, `#!/bin/sh\necho "${program} $*"\n[ "$1" != "${fails}" ]\n`);
    }
    const { stdout, stderr } = await execa(
      'sh',
      [
        '-c',
        'chmod +x bin/*; PATH="$PWD/bin:$PATH" exec "$0" scripts/bundle.mjs "$1"',
        process.execPath,
        task,
      ],
      { cwd: copy.directory, env, reject: false },
    );
    return `${stdout}\n${stderr}`.split('\n').filter((line) => line !== '');
  }

  test('makes the bundle', async () => {
    expect(await calls('generate')).toEqual([
      'ots generate kustomize-manifests',
      'ots generate bundle --version 0.0.1 --image example.com/ship:v0.0.1',
      'ots bundle validate bundle',
    ]);
    const env = { VERSION: '0.2.0', IMG: 'ship:x', CHANNELS: 'fast,stable', DEFAULT_CHANNEL: 'fast' };
    expect((await calls('generate', env))[1]).toBe(
      'ots generate bundle --version 0.2.0 --image ship:x --channels fast,stable --default-channel fast',
    );
    expect(await calls('generate', {}, 'generate')).toEqual(['ots generate kustomize-manifests']);
  });

  test('makes and pushes images', async () => {
    const env = { CONTAINER_TOOL: 'podman --log-level=error', IMAGE_TAG_BASE: 'ghcr.io/acme/ship' };
    expect(await calls('build', env)).toEqual([
      'podman --log-level=error build --file bundle.Dockerfile --tag ghcr.io/acme/ship-bundle:v0.0.1 .',
    ]);
    expect(await calls('push')).toEqual(['docker push example.com/ship-bundle:v0.0.1']);
    expect(await calls('build-catalog')).toEqual([
      'ots catalog build catalog-template.yaml --image example.com/ship-bundle:v{version}',
      'docker build --file catalog.Dockerfile --tag example.com/ship-catalog:v0.0.1 .',
    ]);
    expect(await calls('push-catalog', { CATALOG_IMG: 'c:1' })).toEqual(['docker push c:1']);
    expect(await calls('nonsense')).toEqual([
      'Usage: node scripts/bundle.mjs generate|build|push|build-catalog|push-catalog',
    ]);
  });
});
