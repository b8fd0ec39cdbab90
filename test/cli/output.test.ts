import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { applyPatch } from 'diff';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createProgram } from '../../src/program.ts';
import { copyOf } from '../support/copy-of.ts';
import { fakeTerminal } from '../support/fake-terminal.ts';
import { otsBinary } from '../support/ots-binary.ts';
import { run } from '../support/run.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

interface Report {
  command: string;
  root: string;
  dryRun: boolean;
  changes: {
    path: string;
    action: 'create' | 'update' | 'delete';
    origin: string;
    forced: boolean;
    bytes: number;
    diff?: string;
  }[];
  unchanged: string[];
  notes: string[];
  nextSteps: string[];
}

const captain = ['--group', 'crew', '--version', 'v1', '--kind', 'Captain'];
const api = ['create', 'api', ...captain];
const webhook = ['create', 'webhook', ...captain, '--defaulting'];
const init = ['init', '--skip-install', '--domain', 'example.com', '--project-name', 'ship'];

let empty: TestProject;
let withApi: TestProject;
beforeAll(async () => {
  empty = await testProject();
  withApi = await testProject(api);
  // Something for `ots manifests` to do.
  const source = join(withApi.directory, 'src/api/v1/captain.ts');
  writeFileSync(source, readFileSync(source, 'utf8').replace('@maxLength 256', '@maxLength 128'));
});

/** Each command with a project on which it does something. */
const commands: readonly (readonly [string, string[], () => TestProject])[] = [
  ['init', init, () => copyOf({ directory: temporaryDirectory() })],
  ['create api', api, () => copyOf(empty)],
  ['create webhook', webhook, () => copyOf(withApi)],
  ['edit', ['edit', '--multigroup', '--namespaced', '--license', 'mit'], () => copyOf(withApi)],
  ['manifests', ['manifests'], () => copyOf(withApi)],
];

describe.each(commands)('output of ots %s', (command, args, start) => {
  test('is only one JSON document with --json', async () => {
    const project = start();
    const { code, stdout, stderr } = await project.run(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const report = JSON.parse(stdout) as Report;
    expect(stdout).toBe(`${JSON.stringify(report, null, 2)}\n`);
    expect(Object.keys(report)).toEqual([
      'command',
      'root',
      'dryRun',
      'changes',
      'unchanged',
      'notes',
      'nextSteps',
    ]);
    expect(report).toMatchObject({ command, root: project.directory, dryRun: false });
    expect(report.changes.length).toBeGreaterThan(0);
    for (const change of report.changes) {
      expect(Object.keys(change)).toEqual(['path', 'action', 'origin', 'forced', 'bytes']);
      if (change.action === 'delete') continue;
      expect(readFileSync(join(project.directory, change.path))).toHaveLength(change.bytes);
    }
  });

  test('is the plan of the real run with --dry-run, which writes nothing', async () => {
    const project = start();
    const before = snapshot(project.directory);
    const planned = JSON.parse((await project.run(...args, '--dry-run', '--json')).stdout) as Report;
    const shown = await project.run(...args, '--dry-run');
    expect(snapshot(project.directory)).toEqual(before);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/\(dry run: nothing written\)\n$/);

    const old = new Map(planned.changes.map(({ path }) => [path, textOrNothing(project, path)]));
    const done = JSON.parse((await project.run(...args, '--json')).stdout) as Report;
    const withoutDiffs = planned.changes.map((entry) => ({ ...entry, diff: undefined }));
    expect({ ...planned, changes: withoutDiffs, dryRun: false }).toEqual(done);
    for (const { path, action, diff } of planned.changes) {
      if (diff === undefined) {
        expect(path).toMatch(/\.tgz$|^\.ots-scaffold$/);
        expect(shown.stdout).toContain(`${action} ${path}\n  (binary, `);
        continue;
      }
      expect(shown.stdout).toContain(`${action} ${path}\n${diff}`);
      expect(applyPatch(old.get(path) ?? '', diff), path).toBe(textOrNothing(project, path));
      expect(diff.startsWith(`--- ${action === 'create' ? '/dev/null' : `a/${path}`}\n`), diff).toBe(true);
      expect(diff.split('\n')[1]).toBe(`+++ ${action === 'delete' ? '/dev/null' : `b/${path}`}`);
    }
  });

  test('is empty with -q', async () => {
    expect(await start().run(...args, '-q')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('names every file with what happened to it', async () => {
    const { stdout } = await start().run(...args);
    const { changes } = JSON.parse((await start().run(...args, '--json')).stdout) as Report;
    expect(stdout.split('\n').slice(0, changes.length)).toEqual(
      changes.map(({ action, path }) => `${action} ${path}`),
    );
  });
});

function textOrNothing({ directory }: TestProject, path: string): string {
  try {
    return readFileSync(join(directory, path), 'utf8');
  } catch {
    return '';
  }
}

describe('colors', () => {
  const args = ['edit', '--multigroup', '--namespaced', '--dry-run'];

  test('appear only on a terminal that supports them', async () => {
    const plain = await copyOf(withApi).run(...args);
    expect(plain.stdout).not.toContain('\u001B');
    const onTerminal = async (env: NodeJS.ProcessEnv): Promise<string> => {
      const terminal = fakeTerminal();
      await copyOf(withApi).runIn({ stdout: terminal.stream, env }, ...args);
      return terminal.text();
    };
    const colored = await onTerminal({ TERM: 'xterm-256color' });
    expect(colored).toContain('\u001B[3');
    // oxlint-disable-next-line no-control-regex -- color codes start with one
    expect(colored.replaceAll(/\u001B\[\d+m/g, '')).toBe(plain.stdout);
    expect(await onTerminal({ TERM: 'xterm-256color', NO_COLOR: '1' })).toBe(plain.stdout);
    expect(await onTerminal({ TERM: 'dumb' })).toBe(plain.stdout);
  });
});

describe('differences', () => {
  test.each([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['lines that end in a tab', (text: string) => text.replaceAll(';\n', ';\t\n')],
    ['empty lines at the end', (text: string) => `${text}\n\n\n`],
    ['no line ending at the end', (text: string) => text.trimEnd()],
    ['lines that look like those of a difference', (text: string) => `--- a\n+++ b\n@@ -1 +1 @@\n${text}`],
  ])('can be applied to a file with %s', async (_, change) => {
    const project = copyOf(empty);
    const index = join(project.directory, 'config/rbac/kustomization.yaml');
    const controllers = join(project.directory, 'src/controllers/index.ts');
    writeFileSync(controllers, change(readFileSync(controllers, 'utf8')));
    writeFileSync(index, `${readFileSync(index, 'utf8')}\n \n`);
    const paths = ['config/rbac/kustomization.yaml', 'src/controllers/index.ts'];
    const old = paths.map((path) => textOrNothing(project, path));
    const { stdout } = await project.run(...api, '--dry-run', '--json');
    const shown = (await project.run(...api, '--dry-run')).stdout;
    await project.run(...api);
    for (const [position, path] of paths.entries()) {
      const diff = (JSON.parse(stdout) as Report).changes.find((entry) => entry.path === path)?.diff ?? '';
      expect(applyPatch(old[position] ?? '', diff, { autoConvertLineEndings: false })).toBe(
        textOrNothing(project, path),
      );
      expect(shown).toContain(`update ${path}\n${diff}`);
    }
  });
});

describe('what stayed', () => {
  test('is listed with --verbose', async () => {
    const project = copyOf(withApi);
    await project.run('manifests');
    const { stdout } = await project.run('manifests', '--verbose');
    const nothing = 'Nothing to do: everything is up to date\n';
    const files = ['config/crd/bases/crew.example.com_captains.yaml', 'config/rbac/role.yaml'];
    expect(stdout).toBe(`${files.map((path) => `unchanged ${path}\n`).join('')}${nothing}`);
    expect((await project.run('manifests')).stdout).toBe(nothing);
  });
});

describe('errors', () => {
  test.each([
    ['refused', [...api, '--plural', 'Bad'], 1, 'INVALID_PLURAL'],
    ['wrong usage', ['create', 'api', '--unknown'], 2, 'USAGE'],
    ['an unknown command', ['crate'], 2, 'USAGE'],
  ])('are one JSON document when something is %s', async (_, args, code, errorCode) => {
    const result = await empty.run(...args, '--json');
    expect(result).toMatchObject({ code, stderr: '' });
    const { error } = JSON.parse(result.stdout) as { error: Record<string, unknown> };
    expect(error).toEqual({ code: errorCode, message: expect.any(String), hint: expect.any(String) });
    const text = await empty.run(...args);
    expect(text).toMatchObject({ code, stdout: '' });
    expect(text.stderr).toBe(`error: ${String(error['message'])}\nhint: ${String(error['hint'])}\n`);
  });

  test('carry details for machines', async () => {
    const project = copyOf(empty);
    mkdirSync(join(project.directory, 'src/api/v1'), { recursive: true });
    writeFileSync(join(project.directory, 'src/api/v1/captain.ts'), '// mine\n');
    const { code, stdout } = await project.run(...api, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'CONFLICT', details: { paths: ['src/api/v1/captain.ts'] } },
    });
  });

  test('are also printed with -q and have their origin with --verbose', async () => {
    expect((await empty.run('edit', '-q')).stderr).toMatch(/^error: .+\nhint: .+\n$/);
    expect((await empty.run('edit', '--verbose')).stderr).toMatch(/^error: .+\nhint: .+\nUsageError: /);
  });

  test('have colors on a terminal unless NO_COLOR is set', async () => {
    const onTerminal = async (env: NodeJS.ProcessEnv): Promise<string> => {
      const terminal = fakeTerminal();
      await empty.runIn({ stderr: terminal.stream, env }, 'edit');
      return terminal.text();
    };
    expect(await onTerminal({ TERM: 'xterm' })).toContain('\u001B[31merror:\u001B[39m ');
    expect(await onTerminal({ TERM: 'xterm', NO_COLOR: '1' })).toMatch(/^error: /);
  });

  test.each([
    [['crate'], 'ots'],
    [['--bad', 'create'], 'ots'],
    [['create', 'a\nb'], 'ots create'],
    [['create', 'api', '--bad\u001B[31m', 'webhook'], 'ots create api'],
  ])('of usage name the help that helps: %j', async (args, command) => {
    const { stderr } = await empty.run(...args);
    // oxlint-disable-next-line no-control-regex -- they must not be there
    expect(stderr).toMatch(/^error: [^\0-\x1f]+\nhint: [^\0-\x1f]+\n$/);
    expect(stderr).toContain(`hint: Run ${command} --help `);
  });

  test.each([
    ['a name that is too long for a file system', ['a'.repeat(300)], 1, 'SYSTEM_ERROR'],
    ['a directory below a file', ['PROJECT/sub'], 1, 'SYSTEM_ERROR'],
    ['a directory that is a file', ['PROJECT'], 2, 'NOT_A_DIRECTORY'],
    ['a project', ['.'], 1, 'ALREADY_A_PROJECT'],
    ['a place that does not exist', ['--cwd', 'no\nwhere'], 1, 'NO_DIRECTORY'],
    [
      'a license in a folder that does not exist',
      ['new', '--license-file', 'no\nwhere'],
      1,
      'INVALID_LICENSE_FILE',
    ],
  ])('explain %s', async (_, args, code, errorCode) => {
    const before = snapshot(empty.directory);
    const result = await empty.run(...init, ...args);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
    expect(result.stderr).not.toContain('bug');
    const { error } = JSON.parse((await empty.run(...init, ...args, '--json')).stdout) as { error: object };
    expect(error).toMatchObject({ code: errorCode });
    expect(snapshot(empty.directory)).toEqual(before);
  });
});

describe('help', () => {
  const program = createProgram({ stdout: process.stdout } as unknown as Context);
  const commandsIn = (command: Command): Command[] => [
    command,
    ...command.createHelp().visibleCommands(command).flatMap(commandsIn),
  ];
  const words = (command: Command): string[] =>
    command.parent ? [...words(command.parent), command.name()] : [];

  test.each(commandsIn(program).map((command) => [words(command).join(' '), command] as const))(
    'of "ots %s" has examples and all flags, and fits the terminal',
    async (_, command) => {
      const { code, stdout, stderr } = await empty.run(...words(command), '--help');
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/\nExamples:\n {2}\S/);
      for (const { flags, description } of command.options) {
        expect(stdout).toContain(`  ${flags} `);
        expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`${flags} ${description.replaceAll(/\s+/g, ' ')}`);
      }
      expect(stdout).not.toContain('preset');
      expect((await empty.run(...words(command), '-h')).stdout).toBe(stdout);
      for (const columns of [80, 130]) {
        const terminal = fakeTerminal(columns);
        await empty.runIn({ stdout: terminal.stream }, ...words(command), '--help');
        const [text = ''] = terminal.text().split('\nExamples:\n');
        const widest = Math.max(...text.split('\n').map((line) => line.length));
        expect(widest).toBeLessThanOrEqual(columns);
      }
    },
  );

  test('names the version in every form', async () => {
    const { version } = JSON.parse(readFileSync(join(dirname(otsBinary), '../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await empty.run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(await empty.run('-V')).toMatchObject({ stdout: `${version}\n` });
    expect((await empty.run('version')).stdout).toBe(
      `ots: ${version}\nnode: ${process.version}\nplatform: ${process.platform}/${process.arch}\n`,
    );
    expect(JSON.parse((await empty.run('version', '--json')).stdout)).toEqual({
      ots: version,
      node: process.version,
      platform: `${process.platform}/${process.arch}`,
    });
  });
});

describe('the place of flags and of the user', () => {
  const planOf = async (from: string, ...args: string[]): Promise<Report> => {
    const { code, stdout } = await run(from, [...args, '--dry-run', '--json']);
    expect(code, stdout).toBe(0);
    return JSON.parse(stdout) as Report;
  };

  test('does not matter: flags are accepted in any order', async () => {
    const pairs = [
      ['--kind', 'Sailor'],
      ['--namespaced=false'],
      ['--version', 'v1beta1'],
      ['--short-name=sail,slr'],
      ['--group=crew'],
      ['--controller', 'false'],
    ];
    const forward = await planOf(withApi.directory, 'create', 'api', ...pairs.flat());
    const backward = await planOf(withApi.directory, 'create', 'api', ...pairs.toReversed().flat());
    expect(forward).toEqual(backward);
    expect(forward.changes.map(({ path }) => path)).toContain('src/api/v1beta1/sailor.ts');
  });

  test('does not matter: PROJECT is found from every folder below it', async () => {
    const { directory } = withApi;
    const plan = await planOf(directory, 'manifests');
    expect(await planOf(join(directory, 'src/api/v1'), 'manifests')).toEqual(plan);
    expect(await planOf(join(directory, 'config'), 'manifests', '--cwd', '../src/api/v1')).toEqual(plan);
    expect(await planOf('/', 'manifests', '--cwd', join(directory, 'src'))).toEqual(plan);
  });

  test('does not find a project below a folder that is named PROJECT', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'PROJECT'));
    mkdirSync(join(directory, 'below'));
    const { stderr } = await run(join(directory, 'below'), ['manifests']);
    expect(stderr).toContain('no PROJECT file');
  });

  test('decides where a new project is created and which commands are suggested', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'below'));
    const planFor = (...args: string[]): Promise<Report> => planOf(directory, ...init, ...args);
    for (const [args, place, steps] of [
      [[], '', []],
      [['new'], '/new', ['cd new']],
      [['--cwd', 'below'], '/below', ['cd below']],
      [['new', '--cwd', 'below'], '/below/new', ['cd below/new']],
      [['new', '--cwd', join(directory, 'below')], '/below/new', ['cd below/new']],
    ] as const) {
      const { root, nextSteps } = await planFor(...args);
      expect(root).toBe(`${directory}${place}`);
      expect(nextSteps).toEqual([...steps, 'npm install', expect.stringContaining('ots create api')]);
    }
  });
});

describe('the program', () => {
  /** Closes the pipe of an output before anything is written to it. */
  const withClosed = (output: 'stdout' | 'stderr', ...args: string[]) =>
    new Promise<{ code: number | null; text: string }>((resolve, reject) => {
      const child = spawn(process.execPath, [otsBinary, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      const other = output === 'stdout' ? child.stderr : child.stdout;
      let text = '';
      child[output].destroy();
      other.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      child.on('error', reject).on('close', (code) => resolve({ code, text }));
    });

  test('does not fail when a reader closes the pipe', async () => {
    expect(await withClosed('stdout', 'init', '--help')).toEqual({ code: 0, text: '' });
    expect(await withClosed('stderr', 'crate')).toEqual({ code: 2, text: '' });
  });

  test('prints and exits as it does in these tests', async () => {
    const { exitCode, stdout, stderr } = await execa(process.execPath, [otsBinary, 'crate'], {
      reject: false,
    });
    expect({ code: exitCode, stdout, stderr: `${stderr}\n` }).toEqual(await empty.run('crate'));
    const { stdout: help } = await execa(process.execPath, [otsBinary, '--help'], {
      env: { FORCE_COLOR: '1' },
    });
    expect(`${help}\n`).toBe((await empty.run('--help')).stdout);
  });

  describe('installs', () => {
    /** Runs `ots init` with an npm that makes noise and exits as told. */
    const initWithNpm = async (exitCode: number, ...flags: string[]) => {
      const bin = temporaryDirectory();
      const script = `#!${process.execPath}\nconsole.log('npm out', ...process.argv.slice(2));\nconsole.error('npm err');\nprocess.exitCode = ${exitCode};\n`;
      writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });
      const directory = temporaryDirectory();
      const args = [otsBinary, 'init', '--domain', 'example.com', '--project-name', 'ship', ...flags];
      const env = { PATH: [bin, process.env['PATH']].join(delimiter) };
      const result = await execa(process.execPath, args, { cwd: directory, env, reject: false });
      expect(Object.keys(snapshot(directory))).toContain('PROJECT');
      return result;
    };

    test('and keeps what npm says apart from the plan', async () => {
      const { exitCode, stdout, stderr } = await initWithNpm(0);
      expect(exitCode).toBe(0);
      expect(stdout).not.toContain('npm out');
      expect(stderr).toBe('Running npm install ...\nnpm out install --no-audit --no-fund\nnpm err');
    });

    test('and prints nothing but the document with --json', async () => {
      const { exitCode, stdout, stderr } = await initWithNpm(0, '--json');
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toMatchObject({ command: 'init' });
    });

    test('and reports what failed', async () => {
      const text = await initWithNpm(3);
      expect([text.exitCode, text.stdout]).toEqual([1, '']);
      expect(text.stderr).toMatch(
        /npm err\nerror: The project is complete, but npm install failed in .+\nhint: .+$/,
      );
      const quiet = await initWithNpm(3, '-q');
      expect(quiet.stderr).toMatch(/^npm err\nerror: .+\nhint: .+$/);
      const json = await initWithNpm(3, '--json');
      expect([json.exitCode, json.stderr]).toEqual([1, '']);
      expect(JSON.parse(json.stdout)).toMatchObject({
        error: { code: 'INSTALL_FAILED', details: { output: 'npm err' } },
      });
    });
  });
});
