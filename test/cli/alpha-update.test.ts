import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { copySync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import { filesOf } from '../support/files-of.ts';
import { run } from '../support/run.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { testProject } from '../support/test-project.ts';
import { releasedProjects } from '../update/releases.ts';

const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};
const git = (cwd: string, ...args: string[]) => execa('git', args, { cwd, env, extendEnv: false });

async function commit({ directory }: EditableProject): Promise<void> {
  if (!existsSync(join(directory, '.git'))) await git(directory, 'init', '-q', '-b', 'main');
  await git(directory, 'add', '-A');
  await git(directory, 'commit', '-q', '-m', 'work');
}

/** The golden project jobwatcher as the first version made it, which did not record its scaffold. */
function firstProject(): EditableProject {
  const { files } = releasedProjects.find(({ name }) => name === 'jobwatcher')!;
  const project = copyOf({ directory: temporaryDirectory() });
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  return project;
}

const golden = filesOf(join(import.meta.dirname, '../golden/jobwatcher'));
const recent = await testProject(['create', 'api', '--group', 'sea', '--version', 'v1', '--kind', 'Boat']);
/** A project with its record, outside of a repository. */
const recentProject = (): EditableProject => copyOf(recent);

const controller = 'src/controllers/boat.controller.ts';

describe('a project without a record', () => {
  test('is refused with what to do', async () => {
    expect(await firstProject().refuse('alpha', 'update')).toEqual({
      code: 'NO_SCAFFOLD_RECORD',
      message: 'The project does not have .ots-scaffold, which tells edits from the scaffold',
      hint: 'Name the commit before the first edit with --base. If you edited no file, commit the project and use --base HEAD.',
    });
  });

  test('of the first version without edits becomes the one of this version, and has a record', async () => {
    const project = firstProject();
    project.write('vendor/ots-runtime-0.0.9.tgz', 'old');
    project.write('vendor/mine-1.0.0.tgz', 'mine');
    await commit(project);
    const stdout = await project.succeed('alpha', 'update', '--base', 'HEAD');
    expect(stdout).toContain('delete scripts/operator.mjs\n');
    expect(stdout).toContain('create .ots-scaffold\n');
    expect(stdout).toMatch(/Next:\n {2}npm install (?:\.\/vendor\/ots[\w.-]+\.tgz ?){5}\n {2}npm test\n/);
    expect(filesOf(project.directory)).toMatchObject({
      ...golden,
      PROJECT: expect.anything(),
    });
    expect(existsSync(join(project.directory, 'vendor/ots-runtime-0.0.9.tgz'))).toBe(false);
    expect(project.read('vendor/mine-1.0.0.tgz')).toBe('mine');
    await commit(project);
    expect(await project.succeed('alpha', 'update')).toBe('Nothing to do: everything is up to date\n');
  });

  test('with edits after its first commit keeps them', async () => {
    const project = firstProject();
    await commit(project);
    project.change('README.md', (text) => text.replace('# jobwatcher', '# Watches jobs'));
    project.write('src/schedule.ts', 'export const schedule = 1;\n');
    await commit(project);
    await project.succeed('alpha', 'update', '--base', 'HEAD~1');
    expect(project.read('README.md')).toBe(golden['README.md']!.replace('# jobwatcher', '# Watches jobs'));
    expect(project.read('src/schedule.ts')).toBe('export const schedule = 1;\n');
  });

  test('never loses a file of its author that the commit of --base has, too', async () => {
    const project = firstProject();
    project.write('config/database/kustomization.yaml', 'resources: []\n');
    await commit(project);
    await project.succeed('alpha', 'update', '--base', 'HEAD');
    expect(project.read('config/database/kustomization.yaml')).toBe('resources: []\n');
  });

  test.each([
    ['--help', 'INVALID_GIT_REF'],
    ['a..b', 'INVALID_GIT_REF'],
    ['', 'INVALID_GIT_REF'],
    ['HEAD:PROJECT', 'INVALID_GIT_REF'],
    ['v9', 'UNKNOWN_GIT_REF'],
    ['empty', 'NO_PROJECT_AT_REF'],
  ])('refuses --base=%s with %s', async (revision, code) => {
    const project = firstProject();
    await git(project.directory, 'init', '-q', '-b', 'main');
    await git(project.directory, 'commit', '-q', '--allow-empty', '-m', 'empty');
    await git(project.directory, 'tag', 'empty');
    await commit(project);
    expect(await project.refuse('alpha', 'update', `--base=${revision}`)).toMatchObject({ code });
  });

  test('refuses --base outside of a repository', async () => {
    const project = firstProject();
    expect(await project.refuse('alpha', 'update', '--base', 'HEAD')).toMatchObject({
      code: 'NO_REPOSITORY',
    });
  });
});

describe('a project with a record', () => {
  test('of this version is up to date, with edits or without', async () => {
    const project = recentProject();
    expect(await project.succeed('alpha', 'update')).toBe('Nothing to do: everything is up to date\n');
    project.change(controller, (text) => `${text}// mine\n`);
    rmSync(join(project.directory, 'Makefile'));
    expect(await project.succeed('alpha', 'update')).toBe('Nothing to do: everything is up to date\n');
  });

  test('that git checked out with Windows line endings is up to date, too', async () => {
    const project = recentProject();
    for (const [path, text] of Object.entries(filesOf(project.directory)))
      if (path !== 'PROJECT' && !path.startsWith('config/'))
        project.write(path, text.replaceAll('\n', '\r\n'));
    expect(await project.succeed('alpha', 'update')).toBe('Nothing to do: everything is up to date\n');
  });

  test('that is broken is refused with its line', async () => {
    const project = recentProject();
    project.change('.ots-scaffold', (text) => text.replace('\nMakefile ', '\n<<<<<<< HEAD\nMakefile '));
    expect(await project.refuse('alpha', 'update')).toMatchObject({
      code: 'INVALID_SCAFFOLD_RECORD',
      message: expect.stringMatching(/^\.ots-scaffold:\d+ is a conflict marker of git$/) as string,
    });
  });

  test('keeps what was there before ots init, also in later updates', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'README.md'), '# Mine\n');
    const project = copyOf({ directory });
    await project.succeed('init', '--skip-install', '--domain', 'example.com', '--project-name', 'ship');
    expect(await project.succeed('alpha', 'update')).toBe('Nothing to do: everything is up to date\n');
    expect(project.read('README.md')).toBe('# Mine\n');
  });
});

describe('conflicts', () => {
  /** A project whose author rewrote what later versions rewrote. */
  async function rewritten(): Promise<EditableProject> {
    const project = firstProject();
    await commit(project);
    project.change('src/controllers/job-watcher.controller.ts', (text) =>
      text.replace("reason: 'Reconciled'", "reason: 'Watched'"),
    );
    rmSync(join(project.directory, 'scripts/operator.mjs'));
    rmSync(join(project.directory, 'Makefile'));
    project.change('config/certmanager/issuer.yaml', (text) => `${text}# mine\n`);
    await commit(project);
    return project;
  }

  test('are written with the markers of git, named, and end the command with 1', async () => {
    const project = await rewritten();
    const { code, stdout, stderr } = await project.run('alpha', 'update', '--base', 'HEAD~1');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: 1 file has conflicts: src\/controllers\/job-watcher\.controller\.ts\nhint: Edit what is between <<<<<<< and >>>>>>> in each\. Then run npm install .*, npm run manifests and npm test\.\n$/,
    );
    expect(stdout).toContain(
      'note: Makefile changed in the scaffold. You deleted it, so it stays deleted.\n',
    );
    expect(stdout).toContain(
      'note: config/certmanager/issuer.yaml is not part of the scaffold anymore. You edited it, so it stays.\n',
    );
    expect(stdout).toContain(
      'note: The generated manifests stay unchanged, as the sources have conflicts.\n',
    );
    expect(stdout).not.toContain('Next:');
    expect(project.read('src/controllers/job-watcher.controller.ts')).toMatch(
      /\n<<<<<<< yours\n[^]*reason: 'Watched'[^]*\n=======\n[^]*\n>>>>>>> ots [\d.]+\n/,
    );
    expect(existsSync(join(project.directory, 'Makefile'))).toBe(false);
    expect(project.read('.ots-scaffold')).toContain('\nMakefile ');
  });

  test('are data with --json', async () => {
    const project = await rewritten();
    const { code, stdout } = await project.run('alpha', 'update', '--base', 'HEAD~1', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: 'UPDATE_CONFLICTS',
        details: {
          conflicts: ['src/controllers/job-watcher.controller.ts'],
          plan: { command: 'alpha update', dryRun: false },
        },
      },
    });
  });

  test('are in the diffs of --dry-run, which writes nothing', async () => {
    const project = await rewritten();
    const before = snapshot(project.directory);
    const { code, stdout } = await project.run('alpha', 'update', '--base', 'HEAD~1', '--dry-run');
    expect(code).toBe(1);
    expect(stdout).toContain('+<<<<<<< yours\n');
    expect(stdout).toContain('(dry run: nothing written)\n');
    expect(snapshot(project.directory)).toEqual(before);
  });

  test('of a file that the author added where ots now has one show both', async () => {
    const project = firstProject();
    project.write('scripts/image.mjs', 'build();\n');
    await commit(project);
    project.write('scripts/operator.mjs', 'mine();\n');
    await git(project.directory, 'rm', '-q', '--cached', 'scripts/image.mjs');
    await git(project.directory, 'commit', '-q', '-m', 'without');
    const { stderr } = await project.run('alpha', 'update', '--base', 'HEAD', '--force');
    expect(stderr).toContain('1 file has conflicts: scripts/image.mjs\n');
    expect(project.read('scripts/image.mjs')).toMatch(
      /^<<<<<<< yours\nbuild\(\);\n[^]*=======\n[^]*>>>>>>> ots [\d.]+\n*$/,
    );
  });
});

describe('a repository with changes', () => {
  test('is refused, unless with --force', async () => {
    const project = firstProject();
    await commit(project);
    project.write('notes.txt', 'mine');
    expect(await project.refuse('alpha', 'update', '--base', 'HEAD')).toEqual({
      code: 'NOT_COMMITTED',
      message: 'The project has changes that are not committed',
      hint: 'Commit or stash them, so git can show and revert the update, or add --force.',
    });
    await project.succeed('alpha', 'update', '--base', 'HEAD', '--dry-run');
    await project.succeed('alpha', 'update', '--base', 'HEAD', '--force');
    expect(project.read('notes.txt')).toBe('mine');
  });

  test('may have them outside of the project', async () => {
    const project = firstProject();
    const parent = temporaryDirectory();
    copySync(project.directory, join(parent, 'operator'));
    await git(parent, 'init', '-q', '-b', 'main');
    await git(parent, 'add', '-A');
    await git(parent, 'commit', '-q', '-m', 'all');
    writeFileSync(join(parent, 'notes.txt'), 'mine');
    const args = ['alpha', 'update', '--base', 'HEAD', '--cwd', 'operator'];
    expect(await run(parent, args)).toMatchObject({ code: 0, stderr: '' });
  });
});

test('works without git', async () => {
  const project = recentProject();
  const { code, stdout } = await project.runIn({ env: { PATH: '' } }, 'alpha', 'update');
  expect([code, stdout]).toEqual([0, 'Nothing to do: everything is up to date\n']);
});

test.each([
  [['alpha'], 'error: ots alpha needs a command\n'],
  [['alpha', 'upgrade'], "error: Unknown command 'upgrade' (Did you mean update?)\n"],
  [['alpha', 'update', 'now'], 'error: Too many arguments'],
  [['alpha', 'update', '--base'], "error: Option '--base <revision>' argument missing\n"],
])('%j is wrong usage', async (args, message) => {
  const { code, stderr } = await recentProject().run(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
