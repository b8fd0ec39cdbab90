import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import { fakeTerminal } from '../support/fake-terminal.ts';
import { run } from '../support/run.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const sourcePath = 'src/api/v1/captain.ts';
const crdPath = 'config/crd/bases/crew.example.com_captains.yaml';
const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

/** A project with one commit, tagged v1.0. */
let project: TestProject;
beforeAll(async () => {
  project = await testProject(['create', 'api', '--group', 'crew', '--version', 'v1', '--kind', 'Captain']);
  // Its packages have nothing to do with this, and are large.
  rmSync(join(project.directory, 'vendor'), { recursive: true });
  await git(project.directory, 'init', '-q', '-b', 'main');
  await commit(project.directory, 'first');
  await git(project.directory, 'tag', 'v1.0');
});

const git = (cwd: string, ...args: string[]) => execa('git', args, { cwd, env, extendEnv: false });

/** Commits everything below a directory. */
async function commit(directory: string, message: string): Promise<void> {
  await git(directory, 'add', '-A');
  await git(directory, 'commit', '-q', '-m', message);
}

const compat = (copy: TestProject, ...args: string[]) =>
  copy.runIn({ env }, 'manifests', '--compat', ...args);

async function errorOf(copy: TestProject, ...args: string[]) {
  const { code, stdout, stderr } = await compat(copy, ...args, '--json');
  expect([code, stderr]).toEqual([1, '']);
  return (
    JSON.parse(stdout) as {
      error: { code: string; message: string; hint: string; details: { findings: object[]; commit: string } };
    }
  ).error;
}

const tighten = (copy: EditableProject) =>
  copy.change(sourcePath, (text) => text.replace('@maxLength 256', '@maxLength 128'));

describe('--compat', () => {
  test('prints one line when nothing breaks and writes nothing', async () => {
    const copy = copyOf(project);
    copy.change(sourcePath, (text) =>
      text.replace('message: string;', 'message: string;\n  /** New. */\n  title?: string;'),
    );
    const before = snapshot(copy.directory);
    for (const ref of ['HEAD', 'v1.0', 'main', 'main~0', 'HEAD^{commit}', 'HEAD@{0}', 'refs/tags/v1.0']) {
      expect(await compat(copy, ref)).toEqual({
        code: 0,
        stdout: `No breaking changes since ${ref} (1 kind).\n`,
        stderr: '',
      });
    }
    expect(await compat(copy, 'HEAD', '-q')).toEqual({ code: 0, stdout: '', stderr: '' });
    const { stdout } = await compat(copy, 'v1.0', '--json');
    const { stdout: id } = await git(copy.directory, 'rev-parse', 'HEAD');
    expect(JSON.parse(stdout)).toEqual({
      command: 'manifests',
      compat: { revision: 'v1.0', commit: id, kinds: ['captains.crew.example.com'], findings: [] },
    });
    expect(snapshot(copy.directory)).toEqual(before);
  });

  test('reports every breaking change with its place', async () => {
    const copy = copyOf(project);
    tighten(copy);
    copy.change(sourcePath, (text) => text.replace("  mode?: 'Active' | 'Paused';", "  mode?: 'Active';"));
    const { code, stdout, stderr } = await compat(copy, 'v1.0');
    expect([code, stdout]).toEqual([1, '']);
    const line = copy.read(sourcePath).split('\n').indexOf('  message: string;') + 1;
    expect(stderr).toMatch(/^error: 2 changes since v1\.0 break users of the API:\n/);
    expect(stderr).toContain(
      `${sourcePath}:${line}:3: Captain v1 .spec.message: maxLength was 256, and is 128;`,
    );
    expect(stderr).toContain(`\n  ${line} |   message: string;\n`);
    const { details, ...error } = await errorOf(copy, 'v1.0');
    expect(error.code).toBe('BREAKING_CHANGES');
    expect(details.findings).toMatchObject([
      {
        code: 'max-length-tightened',
        kind: 'Captain',
        version: 'v1',
        path: '.spec.message',
        file: sourcePath,
        line,
      },
      { code: 'enum-narrowed', path: '.spec.mode', file: sourcePath },
    ]);
  });

  test('compares with the commit and ignores the working tree', async () => {
    const copy = copyOf(project);
    tighten(copy);
    await copy.succeed('manifests');
    expect(await errorOf(copy, 'HEAD')).toMatchObject({ code: 'BREAKING_CHANGES' });
    await commit(copy.directory, 'second');
    expect(await compat(copy, 'HEAD')).toMatchObject({ code: 0 });
    expect(await errorOf(copy, 'HEAD~1')).toMatchObject({ code: 'BREAKING_CHANGES' });
    rmSync(join(copy.directory, crdPath));
    expect(await compat(copy, 'HEAD')).toMatchObject({ code: 0 });
  });

  test('works in a project in a directory of a repository and from a folder below it', async () => {
    const repository = temporaryDirectory();
    const directory = join(repository, 'operators', 'my ship é');
    mkdirSync(join(repository, 'config/crd/bases'), { recursive: true });
    writeFileSync(join(repository, 'config/crd/bases/other.yaml'), 'kind: [');
    cpSync(project.directory, directory, { recursive: true, filter: (path) => basename(path) !== '.git' });
    await git(repository, 'init', '-q');
    await commit(repository, 'first');
    const result = await run(join(directory, 'src/api'), ['manifests', '--compat', 'HEAD'], { env });
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('(1 kind)') });
  });

  test('names the file of a kind that was removed', async () => {
    const copy = copyOf(project);
    rmSync(join(copy.directory, 'src/api'), { recursive: true });
    rmSync(join(copy.directory, 'src/controllers'), { recursive: true });
    const { details } = await errorOf(copy, 'v1.0');
    expect(details.findings).toMatchObject([
      { code: 'kind-removed', file: `v1.0:${crdPath}`, line: 3, column: 1 },
    ]);
  });

  test('reads every file of the revision with any name and many documents', async () => {
    const copy = copyOf(project);
    const other = copy.read(crdPath).replaceAll('captain', 'sailor').replaceAll('Captain', 'Sailor');
    copy.write(crdPath, `${copy.read(crdPath)}${other.replaceAll('ailor', 'kipper')}`);
    copy.write('config/crd/bases/with "quotes"\nand\ttabs.yml', other);
    await commit(copy.directory, 'more');
    const { details } = await errorOf(copy, 'HEAD');
    expect(details.findings).toMatchObject([
      { code: 'kind-removed', kind: 'Skipper' },
      { code: 'kind-removed', kind: 'Sailor' },
    ]);
  });

  test('prints no colors when the output is not a terminal or NO_COLOR is set', async () => {
    const copy = copyOf(project);
    tighten(copy);
    const onTerminal = async (more: NodeJS.ProcessEnv): Promise<string> => {
      const terminal = fakeTerminal();
      await copy.runIn(
        { stderr: terminal.stream, env: { ...env, ...more } },
        'manifests',
        '--compat',
        'HEAD',
      );
      return terminal.text();
    };
    expect((await compat(copy, 'HEAD')).stderr).not.toContain('\u001B');
    expect(await onTerminal({ TERM: 'xterm' })).toContain('\u001B[31merror:\u001B[39m ');
    expect(await onTerminal({ TERM: 'xterm', NO_COLOR: '1' })).toBe((await compat(copy, 'HEAD')).stderr);
  });

  test.each([
    '-x',
    '--upload-pack=touch pwned',
    '--output=pwned',
    '',
    ' ',
    'a b',
    '$(touch pwned)',
    'HEAD; touch pwned',
    'HEAD..main',
    'HEAD:PROJECT',
    ':/first',
    '^HEAD',
    'a\nb',
    'a\0b',
    'a\u202Eb',
    '*',
    '\\',
  ])('refuses %j, which does not name a revision', async (ref) => {
    const copy = copyOf(project);
    const before = snapshot(copy.directory);
    const { code, stdout, stderr } = await copy.runIn({ env }, 'manifests', `--compat=${ref}`);
    expect([code, stdout]).toEqual([1, '']);
    // oxlint-disable-next-line no-control-regex -- they must not be there
    expect(stderr).toMatch(/^error: [^\0-\x1f\u202e]+\nhint: [^\0-\x1f]+\n$/);
    expect(await errorOf(copy, `--compat=${ref}`)).toMatchObject({ code: 'INVALID_GIT_REF' });
    expect(snapshot(copy.directory)).toEqual(before);
  });

  test.each<[string, string, (copy: EditableProject) => Promise<void> | void, RegExp, RegExp]>([
    [
      'an unknown revision',
      'UNKNOWN_GIT_REF',
      () => {},
      /"v9" does not exist in the git repository/,
      /fetch/,
    ],
    [
      'a project without a repository',
      'NO_REPOSITORY',
      (copy) => rmSync(join(copy.directory, '.git'), { recursive: true }),
      /Cannot read this project's git repository: fatal: not a git repository/,
      /clone/,
    ],
    [
      'a revision without definitions',
      'NO_CRDS_AT_REF',
      async (copy) => {
        await git(copy.directory, 'rm', '-rq', '--cached', 'config/crd');
        await git(copy.directory, 'commit', '-qm', 'none');
        await git(copy.directory, 'tag', 'v9');
      },
      /config\/crd\/bases has no CRDs at v9/,
      /generated files/,
    ],
    [
      'a definition that is not YAML',
      'INVALID_CRD_AT_REF',
      async (copy) => {
        copy.write(crdPath, '---\nkind: [\n');
        await commit(copy.directory, 'broken');
        await git(copy.directory, 'tag', 'v9');
      },
      /^v9:config\/crd\/bases\/crew\.example\.com_captains\.yaml:\d+:\d+ is not valid YAML: /,
      /revision/,
    ],
  ])('explains %s', async (_, code, prepare, message, hint) => {
    const copy = copyOf(project);
    await prepare(copy);
    expect(await errorOf(copy, 'v9')).toMatchObject({
      code,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  test('explains that git is missing', async () => {
    const copy = copyOf(project);
    const { code, stdout } = await copy.runIn(
      { env: { PATH: '/nowhere' } },
      'manifests',
      '--compat',
      'HEAD',
      '--json',
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'GIT_MISSING' } });
  });

  test('reports errors in the sources before it compares', async () => {
    const copy = copyOf(project);
    copy.change(sourcePath, (text) => text.replace('@maxLength 256', '@maxLength many'));
    expect(await errorOf(copy, 'HEAD')).toMatchObject({ code: 'INVALID_SOURCES' });
  });
});
