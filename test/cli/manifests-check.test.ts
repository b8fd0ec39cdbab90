import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import { fakeTerminal } from '../support/fake-terminal.ts';
import { otsBinary } from '../support/ots-binary.ts';
import { snapshot } from '../support/snapshot.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const captain = ['--group', 'crew', '--version', 'v1', '--kind', 'Captain'];
const sourcePath = 'src/api/v1/captain.ts';
const crdPath = 'config/crd/bases/crew.example.com_captains.yaml';
const rolePath = 'config/rbac/role.yaml';
const webhooksPath = 'config/webhook/manifests.yaml';

let project: TestProject;
beforeAll(async () => {
  project = await testProject(
    ['create', 'api', ...captain],
    ['create', 'webhook', ...captain, '--defaulting'],
  );
});

describe('--check', () => {
  test('prints one line when everything is up to date and writes nothing', async () => {
    const before = snapshot(project.directory);
    expect(await project.run('manifests', '--check')).toEqual({
      code: 0,
      stdout: 'Up to date: 3 generated files.\n',
      stderr: '',
    });
    expect(await project.run('manifests', '--check', '-q')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(snapshot(project.directory)).toEqual(before);
  });

  test('prints one JSON document with --json when everything is up to date', async () => {
    const { code, stdout, stderr } = await project.run('manifests', '--check', '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      command: 'manifests',
      root: project.directory,
      dryRun: true,
      changes: [],
      unchanged: [crdPath, rolePath, webhooksPath],
      notes: [],
      nextSteps: [],
    });
  });

  const edits: readonly (readonly [string, string, string, (copy: EditableProject) => void])[] = [
    [
      'a source changed',
      crdPath,
      'outdated',
      (copy) => copy.change(sourcePath, (text) => text.replace('@maxLength 256', '@maxLength 128')),
    ],
    [
      'a file was edited',
      crdPath,
      'outdated',
      (copy) => copy.change(crdPath, (text) => text.replace('256', '128')),
    ],
    [
      'a comment was added',
      rolePath,
      'outdated',
      (copy) => copy.change(rolePath, (text) => `${text}# mine\n`),
    ],
    [
      'a line ending is another one',
      rolePath,
      'outdated',
      (copy) => copy.change(rolePath, (text) => text.replaceAll('\n', '\r\n')),
    ],
    ['a file is empty', rolePath, 'outdated', (copy) => copy.write(rolePath, '')],
    ['a file is missing', crdPath, 'missing', (copy) => rmSync(join(copy.directory, crdPath))],
    [
      'a file has no source any more',
      'config/crd/bases/crew.example.com_sailors.yaml',
      'orphaned',
      (copy) => copy.write('config/crd/bases/crew.example.com_sailors.yaml', copy.read(crdPath)),
    ],
  ];

  test.each(edits)('fails when %s', async (_, path, problem, edit) => {
    const copy = copyOf(project);
    edit(copy);
    const before = snapshot(copy.directory);
    const text = await copy.run('manifests', '--check');
    expect(text.code).toBe(1);
    expect(text.stderr).toBe(
      `error: 1 generated file is out of date: ${path}\nhint: Run ots manifests and commit the result.\n`,
    );
    const { code, stdout, stderr } = await copy.run('manifests', '--check', '--json');
    expect([code, stderr]).toEqual([1, '']);
    const { error } = JSON.parse(stdout) as {
      error: { code: string; details: { command: string; files: { diff: string }[] } };
    };
    expect(error).toMatchObject({
      code: 'MANIFESTS_OUTDATED',
      details: { command: 'ots manifests', files: [{ path, problem }] },
    });
    const [{ diff } = { diff: '' }] = error.details.files;
    expect(text.stdout).toContain(diff);
    expect(snapshot(copy.directory)).toEqual(before);
    const old = problem === 'missing' ? '' : copy.read(path);
    await copy.succeed('manifests');
    expect(applyPatch(old, diff, { autoConvertLineEndings: false })).toBe(
      problem === 'orphaned' ? '' : copy.read(path),
    );
    expect(await copy.run('manifests', '--check')).toMatchObject({ code: 0 });
  });

  test('ignores files that ots did not generate', async () => {
    const copy = copyOf(project);
    copy.write('config/crd/bases/mine.yaml', 'kind: CustomResourceDefinition\n');
    expect(await copy.run('manifests', '--check')).toMatchObject({ code: 0 });
  });

  test('lists some files and shows every difference', async () => {
    const copy = copyOf(project);
    for (let index = 0; index < 9; index++)
      copy.write(`config/crd/bases/old${index}.yaml`, copy.read(crdPath));
    const { stdout, stderr } = await copy.run('manifests', '--check');
    expect(stderr).toContain('9 generated files are out of date: ');
    expect(stderr).toContain('old4.yaml and 4 more\n');
    expect(stdout.match(/^delete /gm)).toHaveLength(9);
    expect(await copy.run('manifests', '--check', '-q')).toEqual({ code: 1, stdout: '', stderr });
  });

  test('colors the differences on a terminal unless NO_COLOR is set', async () => {
    const copy = copyOf(project);
    copy.change(crdPath, (text) => text.replace('256', '128'));
    const plain = (await copy.run('manifests', '--check')).stdout;
    const onTerminal = async (env: NodeJS.ProcessEnv): Promise<string> => {
      const terminal = fakeTerminal();
      await copy.runIn({ stdout: terminal.stream, env }, 'manifests', '--check');
      return terminal.text();
    };
    const colored = await onTerminal({ TERM: 'xterm-256color' });
    expect(colored).toContain('\u001B[32m+');
    // oxlint-disable-next-line no-control-regex -- color codes start with one
    expect(colored.replaceAll(/\u001B\[\d+m/g, '')).toBe(plain);
    expect(await onTerminal({ TERM: 'xterm-256color', NO_COLOR: '1' })).toBe(plain);
  });

  test('reports errors in the sources like every run, also with --json', async () => {
    const copy = copyOf(project);
    copy.change(sourcePath, (text) => text.replace('@maxLength 256', '@maxLenght 256'));
    const checked = await copy.run('manifests', '--check');
    expect(checked).toMatchObject({ code: 1, stdout: '' });
    expect(checked).toEqual(await copy.run('manifests'));
    expect(JSON.parse((await copy.run('manifests', '--check', '--json')).stdout)).toMatchObject({
      error: {
        code: 'INVALID_SOURCES',
        details: {
          diagnostics: [
            {
              code: expect.stringMatching(/^[a-z-]+$/),
              file: sourcePath,
              line: expect.any(Number),
              column: expect.any(Number),
              message: expect.stringContaining('@maxLenght'),
              hint: expect.stringContaining('@maxLength'),
            },
          ],
        },
      },
    });
  });

  test('fails after an interrupted run and does not complete it', async () => {
    const copy = copyOf(project);
    copy.write('.ots/journal.json', JSON.stringify({ entries: [], directories: [], emptied: [] }));
    const before = snapshot(copy.directory);
    expect(await copy.refuse('manifests', '--check')).toMatchObject({ code: 'INTERRUPTED' });
    expect(snapshot(copy.directory)).toEqual(before);
  });
});

describe('--stdout', () => {
  test('prints every object in the order of files and writes nothing', async () => {
    const copy = copyOf(project);
    copy.change(sourcePath, (text) => text.replace('@maxLength 256', '@maxLength 128'));
    const before = snapshot(copy.directory);
    const { code, stdout, stderr } = await copy.run('manifests', '--stdout');
    expect([code, stderr]).toEqual([0, '']);
    expect(snapshot(copy.directory)).toEqual(before);
    expect(stdout).not.toContain('#');
    await copy.succeed('manifests');
    const files = [crdPath, rolePath, webhooksPath].map((path) => copy.read(path));
    const parsed = (text: string) => parseAllDocuments(text).map((document): unknown => document.toJS());
    expect(parsed(stdout)).toEqual(files.flatMap(parsed));
    expect(parsed(stdout)).toHaveLength(stdout.match(/^---$/gm)?.length ?? 0);
  });

  test('prints a List with --json', async () => {
    const { stdout } = await project.run('manifests', '--stdout', '--json');
    const list = JSON.parse(stdout) as { items: { kind: string }[] };
    expect(list).toMatchObject({ apiVersion: 'v1', kind: 'List' });
    expect(list.items.map(({ kind }) => kind)).toEqual([
      'CustomResourceDefinition',
      'ClusterRole',
      'MutatingWebhookConfiguration',
    ]);
  });

  test('prints errors and no objects', async () => {
    const copy = copyOf(project);
    copy.change(sourcePath, (text) => text.replace('@maxLength 256', '@maxLength many'));
    expect(await copy.run('manifests', '--stdout')).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse((await copy.run('manifests', '--stdout', '--json')).stdout)).toMatchObject({
      error: { code: 'INVALID_SOURCES' },
    });
  });

  test('prints the same from the installed program', async () => {
    const { stdout } = await execa(process.execPath, [otsBinary, 'manifests', '--stdout'], {
      cwd: project.directory,
    });
    expect(`${stdout}\n`).toBe((await project.run('manifests', '--stdout')).stdout);
  });
});

describe('flags that contradict each other', () => {
  const flags = {
    check: ['--check'],
    stdout: ['--stdout'],
    compat: ['--compat', 'HEAD'],
    watch: ['--watch'],
  };
  const pairs = [
    [flags.check, flags.stdout],
    [flags.check, flags.compat],
    [flags.check, flags.watch],
    [flags.stdout, flags.compat],
    [flags.stdout, flags.watch],
    [flags.stdout, ['--docs', 'docs']],
    [flags.compat, flags.watch],
    [flags.compat, ['--docs', 'docs']],
    [flags.watch, ['--dry-run']],
  ];
  test.each(
    pairs.flatMap(([a = [], b = []]) => [
      [...a, ...b],
      [...b, ...a],
    ]),
  )('are wrong usage: %s %s %s', async (...args) => {
    const before = snapshot(project.directory);
    const given = args.filter((arg) => typeof arg === 'string');
    const { code, stdout, stderr } = await project.run('manifests', ...given);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^error: Option '--\S+.*' cannot be used with option '--\S+.*'\nhint: .+--help.+\n$/,
    );
    expect(JSON.parse((await project.run('manifests', ...given, '--json')).stdout)).toMatchObject({
      error: { code: 'USAGE' },
    });
    expect(snapshot(project.directory)).toEqual(before);
  });

  test.each([['--compat'], ['--docs'], ['--check=true'], ['--watch', 'src']])('so is %j', async (...args) => {
    expect(await project.run('manifests', ...args)).toMatchObject({ code: 2, stdout: '' });
  });
});
