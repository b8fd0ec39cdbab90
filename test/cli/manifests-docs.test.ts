import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyOf } from '../support/copy-of.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const sourcePath = 'src/api/v1/captain.ts';
const pagePath = 'docs/api/crew.example.com_v1.md';
const docs = ['manifests', '--docs', 'docs/api'];

let project: TestProject;
beforeAll(async () => {
  project = await testProject(['create', 'api', '--group', 'crew', '--version', 'v1', '--kind', 'Captain']);
});

describe('--docs', () => {
  test('writes the reference with the manifests and only when it changed', async () => {
    const copy = copyOf(project);
    expect(await copy.succeed(...docs)).toBe(`create ${pagePath}\n1 created\n`);
    expect(copy.read(pagePath)).toContain('## Captain\n');
    expect(await copy.succeed(...docs)).toContain('Nothing to do');
    copy.change(sourcePath, (text) => text.replace('@maxLength 256', '@maxLength 128'));
    expect(await copy.succeed(...docs)).toBe(
      `update config/crd/bases/crew.example.com_captains.yaml\nupdate ${pagePath}\n2 updated\n`,
    );
    expect(copy.read(pagePath)).toContain('maxLength 128');
  });

  test('is shown by --dry-run and reported by --json', async () => {
    const copy = copyOf(project);
    const before = snapshot(copy.directory);
    expect(await copy.succeed(...docs, '--dry-run')).toContain(
      `create ${pagePath}\n--- /dev/null\n+++ b/${pagePath}\n`,
    );
    expect(snapshot(copy.directory)).toEqual(before);
    const report = JSON.parse(await copy.succeed(...docs, '--json')) as object;
    expect(report).toMatchObject({ changes: [{ path: pagePath, action: 'create', origin: 'generated' }] });
  });

  test('is checked by --check', async () => {
    const copy = copyOf(project);
    expect(await copy.refuse(...docs, '--check')).toMatchObject({
      code: 'MANIFESTS_OUTDATED',
      hint: 'Run ots manifests --docs docs/api and commit the result.',
    });
    await copy.succeed(...docs);
    expect(await copy.succeed(...docs, '--check')).toBe('Up to date: 3 generated files.\n');
    copy.change(pagePath, (text) => `${text}mine\n`);
    expect(await copy.refuse(...docs, '--check')).toMatchObject({ code: 'MANIFESTS_OUTDATED' });
    expect(await copy.run('manifests', '--check', '--docs', 'my docs')).toMatchObject({
      stderr: expect.stringContaining('Run ots manifests --docs "my docs" and'),
    });
  });

  test('removes the pages of removed versions and no files of the author', async () => {
    const copy = copyOf(project);
    await copy.succeed(...docs);
    const page = copy.read(pagePath);
    copy.write('docs/api/crew.example.com_v0.md', page);
    copy.write('docs/api/README.md', '# Mine\n');
    copy.write('docs/api/below/copy.md', page);
    copy.write('docs/api/page.txt', page);
    const { changes } = JSON.parse(await copy.succeed(...docs, '--json')) as { changes: object[] };
    expect(changes).toMatchObject([{ path: 'docs/api/crew.example.com_v0.md', action: 'delete' }]);
  });

  test('does not overwrite a file of the author', async () => {
    const copy = copyOf(project);
    copy.write(pagePath, '# Mine\n');
    expect(await copy.refuse(...docs)).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(pagePath),
    });
    expect(await copy.refuse(...docs, '--check')).toMatchObject({ code: 'CONFLICT' });
  });

  test.each(['docs/api', './docs//api/', 'docs/../docs/api', 'docs\\api'])('takes %j', async (directory) => {
    const copy = copyOf(project);
    expect(await copy.succeed('manifests', '--docs', directory)).toContain(`create ${pagePath}\n`);
    expect((await copy.runIn({ cwd: join(copy.directory, 'src') }, ...docs, '--check')).code).toBe(0);
  });

  test.each([
    '..',
    '../x',
    '/tmp',
    '/',
    '',
    '.',
    './',
    'a/../..',
    'C:\\x',
    'a\0b',
    '.ots',
    '.ots/new',
    '.git/x',
    'node_modules',
  ])('refuses %j', async (directory) => {
    const copy = copyOf(project);
    expect(await copy.refuse('manifests', `--docs=${directory}`)).toMatchObject({
      code: 'INVALID_DOCS_DIRECTORY',
    });
    expect((await copy.run('manifests', `--docs=${directory}`)).stderr).toMatch(
      /^error: [^\n\0]+\nhint: [^\n]+\n$/,
    );
    expect((await copy.run('manifests', '--watch', `--docs=${directory}`)).code).toBe(1);
  });

  test('refuses to follow a link out of the project', async () => {
    const copy = copyOf(project);
    symlinkSync(temporaryDirectory(), join(copy.directory, 'docs'));
    expect(await copy.refuse(...docs)).toMatchObject({ code: 'PATH_OUTSIDE_PROJECT' });
    rmSync(join(copy.directory, 'docs'));
    mkdirSync(join(copy.directory, 'elsewhere'));
    symlinkSync('elsewhere', join(copy.directory, 'docs'));
    expect(await copy.succeed(...docs)).toContain('1 created');
    expect(copy.read('elsewhere/api/crew.example.com_v1.md')).toBe(copy.read(pagePath));
  });

  test('refuses a place that is a file', async () => {
    const copy = copyOf(project);
    expect(await copy.refuse('manifests', '--docs', 'README.md')).toMatchObject({ code: 'NOT_A_DIRECTORY' });
  });
});
