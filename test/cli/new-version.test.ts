import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type TestProject, testProject } from '../support/test-project.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const gvk = (version: string, kind = 'Watcher') => ['--group', 'batch', '--version', version, '--kind', kind];
const api = (version: string, ...flags: string[]) => ['create', 'api', ...gvk(version), ...flags];

/** What an author made of the example. */
const ownSource = (
  version: string,
) => `import { type KubernetesObject, defineKind, type int32 } from 'ots-runtime';
import type { Window } from './window.ts';

/** What is wanted. */
export interface WatcherSpec {
  /** How often, for ${version}. @minLength 2 */
  every: string;
  keep?: int32; // all by default
  window?: Window;
}

/**
 * Watches.
 * @storageVersion
 */
export interface Watcher extends KubernetesObject {
  apiVersion: 'batch.example.com/${version}';
  kind: 'Watcher';
  spec: WatcherSpec;
}

export const Watcher = defineKind<Watcher>({
  apiVersion: 'batch.example.com/${version}',
  kind: 'Watcher',
  plural: 'watchers',
  scope: 'Namespaced',
});

export function describe(watcher: Watcher): string {
  return watcher.spec.every;
}
`;
const windowSource = `export interface Window {\n  from: string;\n}\n`;
const ownSample = `# mine
apiVersion: 'batch.example.com/v1'
kind: Watcher
metadata: { name: watcher-v1-sample }
spec: { every: 5m } # often
`;

const path = (project: TestProject, file: string) => join(project.directory, file);
const read = (project: TestProject, file: string) => readFileSync(path(project, file), 'utf8');
const write = (project: TestProject, file: string, text: string) => writeFileSync(path(project, file), text);

/** A project whose author has made v1 the author's own. */
async function ownProject(): Promise<TestProject> {
  const project = await testProject(api('v1', '--controller=false'));
  write(project, 'src/api/v1/window.ts', windowSource);
  write(project, 'src/api/v1/watcher.ts', ownSource('v1'));
  write(project, 'config/samples/batch_v1_watcher.yaml', ownSample);
  return project;
}

const versionsOf = (project: TestProject, file = 'batch.example.com_watchers') =>
  parse(read(project, `config/crd/bases/${file}.yaml`)).spec.versions as {
    name: string;
    storage: boolean;
    schema: { openAPIV3Schema: object };
  }[];

describe('another version of a kind', () => {
  test('starts with the types and the sample of the previous one, which stays the storage version', async () => {
    const project = await ownProject();
    const { code, stderr, stdout } = await project.run(...api('v2', '--controller=false'));
    expect([code, stderr]).toEqual([0, '']);
    const expected = ownSource('v1')
      .replaceAll(`'batch.example.com/v1'`, `'batch.example.com/v2'`)
      .replace(' * @storageVersion\n', '')
      .replace('./window.ts', '../v1/window.ts')
      .replace(/\nexport function [^]*$/, '');
    expect(read(project, 'src/api/v2/watcher.ts')).toBe(expected);
    expect(read(project, 'src/api/v1/watcher.ts')).toBe(ownSource('v1'));
    expect(read(project, 'config/samples/batch_v2_watcher.yaml')).toBe(ownSample.replaceAll('v1', 'v2'));
    const [first, second] = versionsOf(project);
    expect([first?.name, first?.storage, second?.name, second?.storage]).toEqual(['v1', true, 'v2', false]);
    expect(second?.schema).toEqual(first?.schema);
    expect(stdout).toContain('Watcher v2 starts with the types of v1 (src/api/v1/watcher.ts).\n');
    expect(stdout).toContain('Not copied, because they are not types of Watcher: describe.\n');
    expect(stdout).toContain('Both versions import src/api/v1/window.ts: changes there affect both.\n');
    expect(stdout).toContain(
      'Where v2 differs from v1, objects lose fields without a conversion. To scaffold one, run ots create webhook --group batch --version v1 --kind Watcher --conversion --spoke v2\n',
    );
  });

  test('starts with the version that Kubernetes prefers', async () => {
    const project = await testProject(api('v1beta2'), api('v1'), api('v2alpha1'));
    const prose = 'The text of the Watcher.';
    for (const version of ['v1beta2', 'v1', 'v2alpha1']) {
      const file = `src/api/${version}/watcher.ts`;
      write(project, file, read(project, file).replace(prose, `Said in ${version}.`));
    }
    const { stdout } = await project.run(...api('v2'));
    expect(stdout).toContain('starts with the types of v1 (');
    expect(read(project, 'src/api/v2/watcher.ts')).toContain('Said in v1.');
    expect(stdout).toContain('--version v1beta2 --kind Watcher --conversion --spoke v2');
  });

  test('is found in another file of its folder, and in the folders of several groups', async () => {
    const project = await ownProject();
    await project.run('edit', '--multigroup');
    const from = (file: string) => `src/api/batch/v1/${file}`;
    write(project, from('all.ts'), ownSource('v1').replace('./window.ts', '../../../window.ts'));
    write(project, 'src/window.ts', windowSource);
    write(project, from('watcher.ts'), 'export {};\n');
    const { code, stderr, stdout } = await project.run(...api('v2', '--short-name', 'w'));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('(src/api/batch/v1/all.ts)');
    const text = read(project, 'src/api/batch/v2/watcher.ts');
    expect(text).toContain(`from '../../../window.ts'`);
    expect(text).toContain('/**\n * Watches.\n * @shortName w\n */');
  });

  test('starts with the example when the types cannot be read and reports that', async () => {
    const project = await testProject(api('v1'));
    write(project, 'src/api/v1/watcher.ts', `export * from 'acme';\n`);
    const { stdout } = await project.run(...api('v2'), '--dry-run');
    expect(stdout).toContain('v2 starts with the example: the types of v1 cannot be read.\n');
  });

  test('keeps the format that its author chose', async () => {
    const project = await testProject(api('v1'));
    const text = read(project, 'src/api/v1/watcher.ts')
      .replaceAll(/^ {2}/gm, '\t')
      .replace(
        'message: string;',
        `message: 'a very long line that no formatter of this project will ever have broken' | 'because its author does not want it';`,
      )
      .concat('export const unused = 1;\n');
    write(project, 'src/api/v1/watcher.ts', text);
    expect((await project.run(...api('v2'))).code).toBe(0);
    expect(read(project, 'src/api/v2/watcher.ts')).toBe(
      text
        .replaceAll(`'batch.example.com/v1'`, `'batch.example.com/v2'`)
        .replace(' * @storageVersion\n', '')
        .replace('export const unused = 1;\n', ''),
    );
  });
});

describe('a conversion between versions', () => {
  test('compiles before the author writes it, whatever the types are', async () => {
    const project = await ownProject();
    await project.run(...api('v2', '--controller=false'));
    const types = 'src/api/v2/watcher.ts';
    write(project, types, read(project, types).replace('every: string', 'interval: string'));
    const webhook = ['create', 'webhook', ...gvk('v1'), '--conversion', '--spoke', 'v2'];
    const { code, stdout } = await project.run(...webhook);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'write the conversion in src/webhooks/v2/watcher.conversion.ts; npm test fails until you do',
    );
    symlinkSync(join(root, 'node_modules'), path(project, 'node_modules'));
    const tsc = path(project, 'node_modules/typescript/bin/tsc');
    const { stdout: errors } = await execa(process.execPath, [tsc, '--project', 'test'], {
      cwd: project.directory,
      reject: false,
    });
    expect(errors).toBe('');
  });
});
