import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyOf } from '../support/copy-of.ts';
import { filesOf } from '../support/files-of.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { testProject } from '../support/test-project.ts';

const gvk = ['--group', 'sea', '--version', 'v1', '--kind', 'Boat'];
const project = await testProject(
  ['create', 'api', ...gvk, '--short-name', 'bt'],
  ['create', 'webhook', ...gvk, '--defaulting'],
);
const generate = ['alpha', 'generate', '--output-dir'];

describe('alpha generate', () => {
  test('makes a project equal to the original, with its packages and its record', async () => {
    const fresh = join(temporaryDirectory(), 'new/fresh');
    expect(await project.run(...generate, fresh)).toMatchObject({ code: 0, stderr: '' });
    expect(filesOf(fresh)).toEqual(filesOf(project.directory));
    for (const path of ['.ots-scaffold', 'vendor/ots-runtime-0.1.0.tgz'])
      expect(readFileSync(join(fresh, path))).toEqual(readFileSync(join(project.directory, path)));
  });

  test('leaves out edits and says so, and keeps the comments of PROJECT', async () => {
    const copy = copyOf(project);
    const path = 'src/controllers/boat.controller.ts';
    copy.change(path, (text) => `${text}// mine\n`);
    copy.change('PROJECT', (text) => `# mine\n${text.replace(/cliVersion: .*/, 'cliVersion: 0.0.1')}`);
    const fresh = temporaryDirectory();
    const { stdout } = await copy.run(...generate, fresh);
    expect(stdout).toMatch(
      /\nnote: The files are as ots [\d.]+ scaffolds them, without the edits of the project\.\n/,
    );
    expect(readFileSync(join(fresh, path), 'utf8')).not.toContain('mine');
    expect(readFileSync(join(fresh, 'PROJECT'), 'utf8')).toMatch(/^# mine\n[^]*\ncliVersion: 0\.1\.0\n/);
    expect(copy.read('PROJECT')).toContain('cliVersion: 0.0.1');
  });

  test('shows all files with --dry-run and does not make the directory', async () => {
    const fresh = join(temporaryDirectory(), 'fresh');
    const { stdout } = await project.run(...generate, fresh, '--dry-run');
    expect(stdout).toContain('create src/controllers/boat.controller.ts\n--- /dev/null\n');
    expect(existsSync(fresh)).toBe(false);
  });

  test('reports the files as data with --json', async () => {
    const { stdout } = await project.run(...generate, temporaryDirectory(), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ command: 'alpha generate', dryRun: false });
  });

  test('refuses a directory with files, unless with --force, which leaves other files alone', async () => {
    const fresh = temporaryDirectory();
    writeFileSync(join(fresh, 'Makefile'), 'mine');
    writeFileSync(join(fresh, 'notes.txt'), 'mine');
    const { code, stderr } = await project.run(...generate, fresh);
    expect([code, stderr]).toEqual([
      1,
      `error: "${fresh}" is not empty\nhint: Name an empty or new directory, or replace files in this one with --force.\n`,
    ]);
    expect(readFileSync(join(fresh, 'Makefile'), 'utf8')).toBe('mine');
    expect(await project.run(...generate, fresh, '--force')).toMatchObject({ code: 0 });
    expect(filesOf(fresh)).toEqual({ ...filesOf(project.directory), 'notes.txt': 'mine' });
  });

  test.each([
    ['.', '"." is the project'],
    ['fresh', '"fresh" is in the project'],
    ['src/../..', '"src/../.." contains the project'],
  ])('refuses %s, which overlaps the project', async (directory, message) => {
    for (const force of [[], ['--force']])
      expect(await copyOf(project).refuse(...generate, directory, ...force)).toMatchObject({
        code: 'OVERLAPS_PROJECT',
        message,
      });
  });

  test('refuses a link to the project', async () => {
    const copy = copyOf(project);
    const link = join(temporaryDirectory(), 'link');
    symlinkSync(copy.directory, link);
    expect(await copy.refuse(...generate, link)).toMatchObject({ code: 'OVERLAPS_PROJECT' });
    expect(await copy.refuse(...generate, join(link, 'a/b'))).toMatchObject({ code: 'OVERLAPS_PROJECT' });
  });

  test('refuses a file as wrong usage', async () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    const { code, stderr } = await project.run(...generate, file);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not a directory')]);
  });

  test('needs --output-dir, a project and a valid PROJECT', async () => {
    expect(await project.run('alpha', 'generate')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--output-dir') as string,
    });
    expect(await run(temporaryDirectory(), [...generate, 'fresh'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not in a project') as string,
    });
    const copy = copyOf(project);
    copy.write('PROJECT', 'version: "4"\n');
    const parent = temporaryDirectory();
    mkdirSync(join(parent, 'made'));
    expect(await copy.refuse(...generate, join(parent, 'made/new'))).toMatchObject({
      message: expect.anything(),
    });
    expect(existsSync(join(parent, 'made/new'))).toBe(false);
  });
});
