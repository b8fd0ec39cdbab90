import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { Budget } from '../../src/commands/torture/budget.ts';
import { torture } from '../../src/commands/torture/torture.ts';
import type { Context } from '../../src/context.ts';
import { assertFreshBuild } from '../support/assert-fresh-build.ts';
import type { EditableProject } from '../support/copy-of.ts';
import { fakeTerminal } from '../support/fake-terminal.ts';
import type { RunResult } from '../support/run.ts';
import type { TestProject } from '../support/test-project.ts';
import { tortureProject, withTesting } from '../support/torture-project.ts';

// The processes of the search are those of the build.
assertFreshBuild();

const captain = 'config/samples/crew_v1_captain.yaml';
const sailor = 'config/samples/crew_v1_sailor.yaml';
/** Of an ots-testing that finds something with the first share of one sample. */
const findsOne = `return report({ seed: options.seed, findings: setup.kind === 'Captain' && options.share.index === 0 ? [found] : [] });`;

interface Printed {
  counts: object;
  samples: { file: string; seed: number; plans: object; writes: string[]; findings: { id: string }[] }[];
  failures: { message: string; hint: string }[];
}

let scaffold: TestProject;
beforeAll(async () => {
  scaffold = await tortureProject();
});

const printed = ({ stdout }: RunResult): Printed => JSON.parse(stdout) as Printed;
const errorOf = ({ stdout }: RunResult): { code: string; message: string; hint: string } =>
  (JSON.parse(stdout) as { error: { code: string; message: string; hint: string } }).error;

describe('a search', () => {
  test('is about every sample whose kind has a controller, and its exit code says whether there are findings', async () => {
    const project = withTesting(scaffold, findsOne);
    const { code, stdout, stderr } = await project.run('torture');
    expect(code).toBe(1);
    expect(stdout).toContain(`${captain}\n`);
    expect(stdout).toContain(`${sailor}\n`);
    expect(stdout).toMatch(/^1 finding in 2 samples$/m);
    expect(stderr).toBe(
      `${captain}: what the operator does undisturbed\n${sailor}: what the operator does undisturbed\n`,
    );
    expect(await project.run('torture', 'Sailor', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('starts the controllers and webhooks of the project, with what its configuration says', async () => {
    const project = withTesting(
      scaffold,
      `const { sample, kind, namespaced, setup: add, config } = setup;
       return report({ writes: [JSON.stringify({ sample, kind, namespaced, add: add.map(({ name }) => name), config: config.Sailor() })] });`,
    );
    project.write('torture.config.ts', 'export default { Sailor: (): string => "its own" };\n');
    const { samples } = printed(await project.run('torture', sailor, '--json'));
    expect(samples.map(({ writes: [write] }) => JSON.parse(write!) as unknown)).toEqual([
      {
        sample: sailor,
        kind: 'Sailor',
        namespaced: false,
        add: ['setupControllers', 'setupWebhooks'],
        config: 'its own',
      },
    ]);
  });

  test('names sources from the root of the project', async () => {
    const project = withTesting(
      scaffold,
      `const at = (file) => ({ ...found, id: file, source: { file, line: 7 } });
       return report({ findings: [at(process.cwd() + '/src/a.ts'), at('/elsewhere/b.ts')] });`,
    );
    const { stdout } = await project.run('torture', 'Captain');
    expect(stdout).toMatch(/^ {3}source {4}src\/a\.ts:7$/m);
    expect(stdout).toMatch(/^ {3}source {4}\/elsewhere\/b\.ts:7$/m);
  });

  test('divides plans among processes, and time among samples', async () => {
    const project = withTesting(
      scaffold,
      `const { seed, budget, share, plans } = options;
       return report({ seed, writes: [JSON.stringify({ budget, plans })], masked: [share.index + '/' + share.of] });`,
    );
    const result = await project.run('torture', '--budget', '1m', '--seed', '7', '--json');
    const [first, second] = printed(result).samples as unknown as {
      masked: string[];
      writes: string[];
      plans: { all: number };
    }[];
    expect(first?.masked).toEqual(first?.masked.map((_, index) => `${index}/${first.masked.length}`));
    expect(first?.plans.all).toBe(first?.masked.length);
    expect(first).toMatchObject({ seed: 7, writes: ['{"budget":"30s"}'] });
    expect(second).toMatchObject({ seed: 7, writes: ['{"budget":"60s"}'] });
    const full = printed(await project.run('torture', 'captain', '--full', '--json'));
    expect(full.samples[0]?.writes).toEqual(['{}']);
  });

  test('writes JUnit and a page, and refuses first what it cannot write', async () => {
    const project = withTesting(scaffold, findsOne);
    await project.run('torture', '--junit', 'torture.xml', '--html', 'torture.html');
    expect(project.read('torture.xml')).toContain('<failure message="The Service is never created">');
    expect(project.read('torture.html')).toContain('crash-converges-services');
    expect(errorOf(await project.run('torture', '--html', 'none/torture.html', '--json'))).toMatchObject({
      code: 'NO_DIRECTORY',
      hint: 'Create it, or choose another file with --html.',
    });
  });

  test('says on a terminal how far it is, in one line, and clears it', async () => {
    const terminal = fakeTerminal(100);
    const project = withTesting(
      scaffold,
      `options.onProgress({ tried: 2, plans: 9, findings: 1 }); return report();`,
    );
    let time = 0;
    const now = () => new Date((time += 1000));
    await project.runIn({ stderr: terminal.stream, now }, 'torture', 'Captain');
    expect(terminal.text()).toMatch(/ {2}2 of \d+ plans, 1 finding/);
    expect(terminal.text()).not.toContain('\n');
    expect(terminal.text().endsWith('\r\u001B[2K')).toBe(true);
  });

  test('has colors on a terminal alone, and none with NO_COLOR', async () => {
    const project = withTesting(scaffold, findsOne);
    const shown = async (env: NodeJS.ProcessEnv) => {
      const terminal = fakeTerminal();
      await project.runIn({ stdout: terminal.stream, env }, 'torture', 'Captain');
      return terminal.text();
    };
    expect(await shown({ TERM: 'xterm-256color' })).toContain('\u001B[31mThe Service is never created');
    expect(await shown({ TERM: 'xterm-256color', NO_COLOR: '1' })).not.toContain('\u001B');
  });

  test('--dry-run says what would be searched', async () => {
    const project = withTesting(scaffold, 'throw new Error("it ran")');
    expect(await project.run('torture', '--dry-run')).toEqual({
      code: 0,
      stdout: `${captain} (Captain)\n${sailor} (Sailor)\nWould try plans for 60s with seed 1 (dry run: nothing tried)\n`,
      stderr: '',
    });
    expect(JSON.parse((await project.run('torture', '--dry-run', '--full', '--json')).stdout)).toMatchObject({
      dryRun: true,
      budget: null,
      seed: 1,
    });
  });
});

test('what a sample leaves over of its time is for the next ones, and the undisturbed operator does not count', () => {
  let time = 0;
  const budget = new Budget(60_000, 3, () => time);
  const searched = (undisturbed: number, plans: number): number => {
    const seconds = budget.next();
    time += undisturbed;
    budget.tried();
    time += plans;
    budget.end();
    return seconds;
  };
  expect(searched(90_000, 4000)).toBe(20);
  expect(searched(5000, 99_000)).toBe(28);
  expect(searched(0, 0)).toBe(28);
});

describe('a baseline', () => {
  const entry = '- finding: crash-converges-services\n  reason: it is made again\n';

  test('accepts findings, and names its entries that accept nothing when all plans were tried', async () => {
    const project = withTesting(scaffold, findsOne);
    project.write('torture-baseline.yaml', `${entry}- finding: order-rest\n  reason: known\n`);
    const some = await project.run('torture');
    expect(some.code).toBe(0);
    expect(some.stdout).toContain('No findings in 2 samples (torture-baseline.yaml accepts 1)\n');
    expect(some.stdout).not.toContain('order-rest');
    expect((await project.run('torture', 'Captain', '--full')).stdout).not.toContain('order-rest');
    const full = await project.run('torture', '--full');
    expect(full.code).toBe(0);
    expect(full.stdout).toContain('torture-baseline.yaml:3: no plan shows order-rest any more');
  });

  test('that is wrong is refused before anything runs', async () => {
    const project = withTesting(scaffold, 'throw new Error("it ran")');
    project.write('torture-baseline.yaml', '- finding: a\n');
    expect(errorOf(await project.run('torture', '--json'))).toMatchObject({
      code: 'INVALID_BASELINE',
      message: 'torture-baseline.yaml:1:3: The entry has no reason',
    });
  });

  test('does not hide what is replayed', async () => {
    const project = withTesting(scaffold, findsOne);
    project.write('torture-baseline.yaml', entry);
    await project.run('torture');
    expect((await project.run('torture', '--replay', 'crash-converges-services')).code).toBe(1);
  });
});

describe('--replay', () => {
  const repeats = `return report({ seed: options.seed, writes: [JSON.stringify(options.plans ?? 0)],
    findings: setup.kind === 'Captain' ? [found] : [] });`;
  const plan = '{"phase":"crash","step":0,"write":2}';

  test('tries the plan of a finding of the last run with its seed, and keeps that run', async () => {
    const project = withTesting(scaffold, repeats);
    await project.run('torture', '--seed', '5');
    for (const id of ['crash-converges-services', 'crash-converges-services']) {
      const { code, ...result } = await project.run('torture', '--replay', id, '--json');
      expect(code).toBe(1);
      expect(printed({ code, ...result }).samples).toMatchObject([
        { file: captain, seed: 5, writes: [`[${plan}]`] },
      ]);
    }
  });

  test.each([
    ['a plan', plan],
    ['a finding', `{"id":"a","plan":${plan}}`],
  ])('tries %s in JSON or in a file, with the sample that the command line names', async (_, json) => {
    const project = withTesting(scaffold, repeats);
    project.write('plan.json', json);
    for (const text of [json, 'plan.json']) {
      const result = await project.run('torture', 'Captain', '--replay', text, '--json');
      expect(printed(result).samples).toMatchObject([{ file: captain, seed: 1, writes: [`[${plan}]`] }]);
    }
  });

  test('refuses what names no plan', async () => {
    const project = withTesting(scaffold, repeats);
    const refused = async (...args: string[]) => {
      const { code, ...result } = await project.run('torture', ...args, '--json');
      return [code, errorOf({ code, ...result })];
    };
    expect(await refused('--replay', 'order-rest')).toMatchObject([
      1,
      { code: 'NO_LAST_RUN', hint: expect.stringContaining('Run ots torture first') },
    ]);
    await project.run('torture');
    expect(await refused('--replay', 'order-rest')).toMatchObject([
      1,
      {
        code: 'NO_SUCH_FINDING',
        message: '"order-rest" is not a finding of the last run',
        hint: 'Its findings are crash-converges-services.',
      },
    ]);
    expect(await refused('--replay', plan)).toMatchObject([
      2,
      { code: 'NO_SAMPLE', hint: `Name it: ${captain}, ${sailor}.` },
    ]);
    expect(await refused('Captain', '--replay', '{"phase"')).toMatchObject([
      1,
      { code: 'INVALID_PLAN', message: expect.stringContaining('it is not JSON') },
    ]);
    expect(await refused('Captain', '--replay', '{"step":1}')).toMatchObject([
      1,
      { code: 'INVALID_PLAN', message: expect.stringContaining('it has no phase') },
    ]);
    project.write('node_modules/.cache/ots-torture/report.json', '{"reports":');
    expect(await refused('--replay', 'crash-converges-services')).toMatchObject([1, { code: 'NO_LAST_RUN' }]);
  });

  test('asks for the sample if several have the finding', async () => {
    const project = withTesting(scaffold, 'return report({ findings: [found] });');
    await project.run('torture');
    const id = 'crash-converges-services';
    expect(errorOf(await project.run('torture', '--replay', id, '--json'))).toMatchObject({
      code: 'AMBIGUOUS_FINDING',
      message: `"${id}" is a finding with ${captain} and ${sailor}`,
    });
    expect(printed(await project.run('torture', sailor, '--replay', id, '--json')).samples).toMatchObject([
      { file: sailor },
    ]);
  });
});

describe('--write-test', () => {
  const id = 'crash-converges-services';
  const file = `src/controllers/captain.torture-${id}.test.ts`;

  test('writes the plan of a finding as a test, and nothing over an edited one', async () => {
    const project = withTesting(scaffold, findsOne);
    await project.run('torture', '--seed', '3');
    expect((await project.run('torture', '--write-test', id, '--dry-run')).stdout).toContain(
      `create ${file}`,
    );
    expect(existsSync(join(project.directory, file))).toBe(false);
    expect(await project.succeed('torture', '--write-test', id)).toContain(`create ${file}\n1 created\n`);
    const text = project.read(file);
    expect(text).toContain("import { setupWebhooks } from '../webhooks/index.ts';");
    expect(text).toContain(`sample: '${captain}',\n    kind: 'Captain',\n`);
    expect(text).toContain("seed: 3,\n    plans: [{ phase: 'crash', step: 0, write: 2 }],");
    expect(text).not.toContain('torture.config.ts');
    expect(await project.succeed('torture', '--write-test', id)).toContain('everything is up to date');
    project.change(file, (before) => before.replace('seed: 3', 'seed: 4'));
    expect(await project.refuse('torture', '--write-test', id)).toMatchObject({ code: 'CONFLICT' });
  });

  test('uses the configuration of the project', async () => {
    const project = withTesting(scaffold, findsOne);
    project.write('torture.config.ts', 'export default {};\n');
    await project.run('torture');
    await project.succeed('torture', '--write-test', id);
    expect(project.read(file)).toContain("import config from '../../torture.config.ts';");
    expect(project.read(file)).toMatch(/^ {4}config,$/m);
  });

  test('keeps names from the cluster in their places', async () => {
    const evil = `it's "bad" \${x} \\\n*/ {{y}} \u2028 ../../${'a'.repeat(300)}`;
    const project = withTesting(
      scaffold,
      `const evil = ${JSON.stringify(evil)};
       return report({ findings: [{ ...found, id: evil, consequence: evil, description: evil, plan: { phase: evil } }] });`,
    );
    await project.run('torture', 'Captain');
    await project.succeed('torture', 'Captain', '--write-test', evil);
    const [name, ...others] = readdirSync(join(project.directory, 'src/controllers')).filter((each) =>
      each.includes('.torture-'),
    );
    expect(others).toEqual([]);
    expect(name).toMatch(/^captain\.torture-[a-z0-9.-]{1,110}\.test\.ts$/);
    const { program } = (await import('oxc-parser')).parseSync(
      'a.ts',
      project.read(`src/controllers/${name}`),
    );
    expect(program.body.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 4 }, () => 'ImportDeclaration'),
      'ExpressionStatement',
    ]);
  });

  test('needs a finding of the last run', async () => {
    const project = withTesting(scaffold, findsOne);
    expect(await project.refuse('torture', '--write-test', id)).toMatchObject({ code: 'NO_LAST_RUN' });
  });
});

describe('a search that comes to no end', () => {
  const failuresOf = async (project: EditableProject) => {
    const { code, ...result } = await project.run('torture', 'Captain', '--json');
    expect([code, result.stderr.split('\n').length]).toEqual([1, 2]);
    return printed({ code, ...result }).failures;
  };

  test.each([
    ['throw new Error("no tea")', 'no tea', 'Run npm test first'],
    [
      'throw Object.assign(new Error("no tea. Buy some."), { problem: "no tea", hint: "Buy some." })',
      'no tea',
      'Buy some.',
    ],
    [
      'options.onProgress({ tried: 2, plans: 9, findings: 0 }); process.exit(3)',
      'The process of the operator ended with exit code 3 after 2 of its 9 plans',
      `Look for process.exit, and for what needs much memory. To see it again, run ots torture ${captain} --seed 1 --full.`,
    ],
    [
      'options.onProgress({ tried: 2, plans: 9, findings: 0, plan: { phase: "crash" } }); process.kill(process.pid, "SIGKILL")',
      'ended with SIGKILL after 2 of its 9 plans, the last one {"phase":"crash"}',
      `ots torture ${captain} --seed 1 --full.`,
    ],
    [
      'setTimeout(() => { throw new Error("too late"); }); return new Promise(() => {});',
      'The operator threw outside of a reconcile: too late',
      'Catch it where it happens',
    ],
  ])('says why, and what to do: %s', async (body, message, hint) => {
    const [failure] = await failuresOf(withTesting(scaffold, body));
    expect(failure).toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });

  test.each([
    [
      'src/controllers/index.ts',
      'export const setup = 1;',
      'src/controllers/index.ts does not export setupControllers',
    ],
    ['src/controllers/index.ts', 'export const (', 'src/controllers/index.ts cannot be loaded: '],
    [
      'torture.config.ts',
      'export default { Captain: 1 };',
      'The default export of torture.config.ts is not an object of functions',
    ],
    [
      'node_modules/ots-testing/index.js',
      'export {}',
      'The ots-testing of the project is older than ots torture',
    ],
  ])('names the file that is wrong: %s: %s', async (file, text, message) => {
    const project = withTesting(scaffold, findsOne);
    project.write(file, text);
    expect(await failuresOf(project)).toMatchObject([{ message: expect.stringContaining(message) }]);
  });

  test('does not hide what other processes and samples found', async () => {
    const project = withTesting(
      scaffold,
      `if (setup.kind === 'Captain') process.exit(1);
       return report({ findings: [found] });`,
    );
    const { code, stdout } = await project.run('torture');
    expect(code).toBe(1);
    expect(stdout).toContain(
      'error: The process of the operator ended with exit code 1 before the first plan',
    );
    expect(stdout).toContain('1 finding in 1 sample (1 not searched)');
  });

  test('because the operator blocks its process is found', async () => {
    const project = withTesting(scaffold, 'for (;;);');
    const stdout = fakeTerminal();
    const context = { ...contextOf(project), stdout: stdout.stream };
    const options = { budget: '60s', sample: ['Captain'], json: true };
    const ended = torture(options, context, { silenceMs: 3000, graceMs: 1000 });
    await expect(ended).rejects.toMatchObject({ exitCode: 1 });
    expect(printed({ code: 1, stdout: stdout.text(), stderr: '' }).failures).toMatchObject([
      { message: expect.stringContaining('The operator blocks its process: it said nothing for 3 s') },
    ]);
  });
});

/** What a run in a project has, with terminals that a test reads. */
function contextOf({ directory }: EditableProject): Context {
  return {
    stdin: process.stdin,
    stdout: fakeTerminal().stream,
    stderr: fakeTerminal().stream,
    cwd: directory,
    env: {},
    interactive: false,
    now: () => new Date(0),
    untilSignal: () => new Promise(() => {}),
  };
}

describe('Ctrl-C', () => {
  test.each([
    [
      'prints what was found so far',
      'await new Promise((resolve) => options.signal.addEventListener("abort", resolve)); return report({ findings: [found] });',
      /1 finding in 1 sample/,
    ],
    [
      'ends processes that do not stop',
      'await new Promise(() => {});',
      /error: The search was stopped after 1 of its 3 plans and did not report 1 finding/,
    ],
  ])('%s', async (_, body, summary) => {
    const project = withTesting(scaffold, `options.onProgress({ tried: 1, plans: 3, findings: 1 }); ${body}`);
    const [stdout, stderr] = [fakeTerminal(), fakeTerminal()];
    let interrupt!: (signal: NodeJS.Signals) => void;
    const signal = new Promise<NodeJS.Signals>((resolve) => (interrupt = resolve));
    let time = 0;
    const context = {
      ...contextOf(project),
      stdout: stdout.stream,
      stderr: stderr.stream,
      untilSignal: () => signal,
      now: () => new Date((time += 1000)),
    };
    const patience = { silenceMs: 60_000, graceMs: 200 };
    const ended = torture({ budget: '60s', sample: ['Captain'] }, context, patience);
    await vi.waitFor(() => expect(stderr.text()).toContain(' plans, '), 60_000);
    interrupt('SIGINT');
    await expect(ended).rejects.toMatchObject({ name: 'InterruptedError', signal: 'SIGINT' });
    expect(stdout.text()).toMatch(summary);
    expect(stdout.text()).toContain('Interrupted: there may be more findings.');
  });
});

describe('the command line', () => {
  test.each([
    [['--budget', 'soon'], 1, 'INVALID_DURATION'],
    [['--seed', '-1'], 1, 'INVALID_SEED'],
    [['--seed', '1.5'], 1, 'INVALID_SEED'],
    [['Pirate'], 1, 'NO_SUCH_SAMPLE'],
    [['config/samples/kustomization.yaml'], 1, 'NO_SUCH_SAMPLE'],
    [['--full', '--budget', '5s'], 2, 'USAGE'],
    [['--replay', 'a', '--full'], 2, 'USAGE'],
    [['--write-test', 'a', '--replay', 'b'], 2, 'USAGE'],
  ])('%j is refused', async (args, exitCode, error) => {
    const project = withTesting(scaffold, 'throw new Error("it ran")');
    const { code, ...result } = await project.run('torture', ...args, '--json');
    expect([code, errorOf({ code, ...result }).code]).toEqual([exitCode, error]);
  });

  test('a sample is a file of the working directory or of the project, or a kind', async () => {
    const project = withTesting(scaffold, findsOne);
    const files = async (cwd: string, ...names: string[]) =>
      (
        JSON.parse((await project.run('torture', '--cwd', cwd, ...names, '--dry-run', '--json')).stdout) as {
          samples: { file: string }[];
        }
      ).samples.map(({ file }) => file);
    expect(await files('.', 'sailor')).toEqual([sailor]);
    expect(await files('config/samples', 'crew_v1_sailor.yaml', captain)).toEqual([sailor, captain]);
    expect(await files('.', 'Captain', captain)).toEqual([captain]);
  });

  test('a project without samples, with a bad one, or without ots-testing says what to do', async () => {
    const project = withTesting(scaffold, findsOne);
    project.write(sailor, 'a: [');
    expect(errorOf(await project.run('torture', '--json'))).toMatchObject({
      code: 'INVALID_SAMPLE',
      message: expect.stringContaining(`${sailor}:1:5: The file is not valid YAML`),
    });
    for (const file of [captain, sailor]) project.write(file, '');
    expect(errorOf(await project.run('torture', '--json'))).toMatchObject({ code: 'NO_SAMPLES' });
    expect(errorOf(await scaffold.run('torture', '--json'))).toMatchObject({
      code: 'NO_OTS_TESTING',
      message: 'ots-testing is not installed in the project',
      hint: expect.stringContaining('Run npm install.'),
    });
  });

  test('its help has examples', async () => {
    const { stdout } = await scaffold.run('torture', '--help');
    expect(stdout).toContain('ots torture --replay crash-converges-services');
  });
});
