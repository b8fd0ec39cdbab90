import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyOf } from '../support/copy-of.ts';
import { type Turn, converse, enterKey } from '../support/converse.ts';
import { otsBinary } from '../support/ots-binary.ts';
import { run } from '../support/run.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const ctrlC = '\u0003';
const backspace = '\u007F';
const init = ['init', '--skip-install', '--project-name', 'ship'];

let project: TestProject;
beforeAll(async () => {
  project = await testProject();
});

describe('a missing value', () => {
  test('of init is asked for', async () => {
    const directory = temporaryDirectory();
    const { code, left, stdout } = await converse(directory, init, [
      ['Which domain', `example.com${enterKey}`],
    ]);
    expect([code, left]).toEqual([0, 0]);
    expect(stdout).not.toContain('Which domain');
    expect(snapshot(directory)['PROJECT']).toContain('domain: example.com\n');
  });

  test('of create api is asked for in turn, and only when it is missing', async () => {
    const copy = copyOf(project);
    const turns: Turn[] = [
      ['Which API group', `crew${enterKey}`],
      ['Which kind', `Captain${enterKey}`],
    ];
    const { code, left, asked } = await converse(copy.directory, ['create', 'api', '--version', 'v1'], turns);
    expect([code, left]).toEqual([0, 0]);
    expect(asked).not.toContain('Which version');
    expect(copy.read('src/api/v1/captain.ts')).toContain('interface Captain ');
  });

  test('of create webhook is asked for', async () => {
    const copy = copyOf(project);
    const turns: Turn[] = [
      ['Which API group', `core${enterKey}`],
      ['Which version', `v1${enterKey}`],
      ['Which kind', `Pod${enterKey}`],
    ];
    const { code, left } = await converse(copy.directory, ['create', 'webhook', '--defaulting'], turns);
    expect([code, left]).toEqual([0, 0]);
    expect(copy.read('src/webhooks/v1/pod.defaulter.ts')).toContain('PodDefaulter');
  });

  test('is asked for until it is valid', async () => {
    const copy = copyOf(project);
    const flags = ['--group', 'crew', '--kind', 'Captain'];
    const { code, left } = await converse(
      copy.directory,
      ['create', 'api', ...flags],
      [
        ['Which version', `one${enterKey}`],
        ['version', `${backspace.repeat(3)}v2${enterKey}`],
      ],
    );
    expect([code, left]).toEqual([0, 0]);
    expect(copy.read('PROJECT')).toContain('version: v2\n');
  });

  test('is asked for on stderr, so stdout stays for machines', async () => {
    const copy = copyOf(project);
    const flags = ['--group', 'crew', '--version', 'v1', '--json'];
    const { code, stdout } = await converse(
      copy.directory,
      ['create', 'api', ...flags],
      [['Which kind', `Captain${enterKey}`]],
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ command: 'create api' });
  });

  test.each([
    ['Ctrl-C', ctrlC],
    ['Escape', '\u001B'],
    ['closing the terminal', undefined],
  ])('is not asked for again after %s, and nothing is written', async (_, keys) => {
    const copy = copyOf(project);
    const before = snapshot(copy.directory);
    const turns: Turn[] = [
      ['Which API group', `crew${enterKey}`],
      ['Which version', keys],
    ];
    const { code, stdout, asked } = await converse(copy.directory, ['create', 'api'], turns);
    expect([code, stdout]).toEqual([1, '']);
    expect(asked).toMatch(
      /error: Canceled\nhint: ots wrote nothing\. Run the command again to start over\.\n$/,
    );
    expect(asked).not.toContain('Which kind');
    expect(snapshot(copy.directory)).toEqual(before);
  });

  test('leaves no directory behind when init is canceled', async () => {
    const directory = temporaryDirectory();
    const { code } = await converse(directory, [...init, 'new/place'], [['Which domain', ctrlC]]);
    expect(code).toBe(1);
    expect(snapshot(directory)).toEqual({});
  });
});

describe('a value that was given', () => {
  test('is not asked for, not even when it is wrong', async () => {
    const { code, asked } = await converse(project.directory, ['create', 'api', '--group', 'Bad Group'], []);
    expect(code).toBe(1);
    expect(asked).toMatch(/^error: .+\nhint: .+\n$/);
  });
});

describe('without a terminal', () => {
  test.each([
    [init, '--domain'],
    [['create', 'api'], '--group'],
    [['create', 'api', '--group', 'crew'], '--version'],
    [['create', 'webhook', '--group', 'crew', '--version', 'v1'], '--kind'],
  ])('%j fails at once and names what is missing', async (args, flag) => {
    const directory = args === init ? temporaryDirectory() : project.directory;
    const before = snapshot(directory);
    const result = await run(directory, args);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(new RegExp(`^error: ${flag} is missing\nhint: .*${flag} .+\n$`));
    expect(snapshot(directory)).toEqual(before);
  });

  test.each(['ignore', 'pipe'] as const)('the program does not wait for stdin (%s)', async (stdin) => {
    const { exitCode, stderr } = await execa(process.execPath, [otsBinary, 'create', 'api'], {
      cwd: project.directory,
      stdin,
      reject: false,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: --group is missing\nhint: .+$/);
  });
});
