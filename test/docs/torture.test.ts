import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { codeBlocks } from '../../packages/runtime/test/docs/code-blocks.ts';
import { textOf } from '../../src/dev/terminal/line.ts';
import { Baseline } from '../../src/torture/baseline.ts';
import { reportLines } from '../../src/torture/report/text.ts';
import { assertFreshBuild } from '../support/assert-fresh-build.ts';
import { copyOf } from '../support/copy-of.ts';
import { findingOf, reportOf } from '../support/torture-report.ts';
import { withTesting } from '../support/torture-project.ts';

// docs/torture.md: its commands run, its examples have correct types, and its report is one.

assertFreshBuild();

const markdown = readFileSync('docs/torture.md', 'utf8');
const blocks = codeBlocks(markdown);
const example = { directory: 'examples/memcached' };
const sample = { file: 'config/samples/cache_v1alpha1_memcached.yaml', kind: 'Memcached' };
const status = 'patch memcacheds/status.cache.example.com default/memcached-sample';
const finding = findingOf({
  id: 'crash-converges-deployments.apps',
  consequence: 'The Deployment is never created',
  details: ['status.conditions: nothing instead of Available'],
  plan: { phase: 'crash', step: 0, write: 1 },
  description: `The operator crashes after write 1 (${status}) when the object is created`,
  plans: 4,
  timeline: [
    { time: 0, actor: 'user', what: 'create memcacheds.cache.example.com default/memcached-sample' },
    { time: 52, actor: 'operator', what: status, isCause: true },
    { time: 52, actor: 'plan', what: 'the operator crashes' },
    { time: 1000, actor: 'operator', what: 'starts again' },
  ],
  source: { file: 'src/controllers/memcached.controller.ts', line: 46 },
  cure: 'Decide by what is in the cluster, not by what an earlier reconcile wrote about it.',
  link: 'docs/runtime/patterns.md#apply-the-desired-state',
});
const found = `return report({ findings: [${JSON.stringify(finding)}] });`;

test('the report is as the command prints it', () => {
  const report = reportOf({
    object: 'Memcached default/memcached-sample',
    plans: { all: 96, tried: 96, skipped: 0 },
    milliseconds: 21_000,
    findings: [finding],
  });
  const samples = Baseline.parse(undefined).apply([{ sample, report }]);
  const lines = reportLines(
    { samples, failures: [], unused: [], isInterrupted: false },
    { columns: 80, verbose: false },
  );
  expect(blocks.find(({ language }) => language === 'text')?.code).toBe(`${lines.map(textOf).join('\n')}\n`);
});

test('the commands run, and the test is the one that they write', async () => {
  const project = withTesting(example, found);
  const commands = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.trim().split('\n'))
    .map((line) => line.replace(/ *#.*/, '').split(' '));
  expect(commands.length).toBeGreaterThan(7);
  for (const [ots, ...args] of commands) {
    expect(ots).toBe('ots');
    const { code, stderr } = await project.run(...args);
    const isFound = !args.includes('--dry-run') && !args.includes('--write-test');
    expect([args, code, stderr]).toEqual([args, isFound ? 1 : 0, expect.not.stringContaining('error:')]);
  }
  const [, file = ''] = /^```ts title="(.*torture-.*)"$/m.exec(markdown) ?? [];
  const header = project.read('hack/boilerplate.txt');
  expect(project.read(file)).toBe(`${header}\n${blocks.find(({ title }) => title === file)?.code}`);
});

test('the examples have correct types', async () => {
  const project = copyOf(example);
  symlinkSync(join(process.cwd(), 'node_modules'), join(project.directory, 'node_modules'));
  for (const { language, title, code } of blocks) if (language === 'ts') project.write(title!, code);
  project.change('test/tsconfig.json', (text) =>
    text.replace('"../vitest.config.ts"', '"../vitest.config.ts", "../torture.config.ts"'),
  );
  const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
  const { stdout } = await execa(process.execPath, [tsc, '--project', 'test'], {
    cwd: project.directory,
    reject: false,
  });
  expect(stdout).toBe('');
});

test('the baseline is one', () => {
  const text = blocks.find(({ language }) => language === 'yaml')!.code;
  const report = reportOf({ findings: [findingOf({ id: 'crash-counts-jobs.batch' })] });
  expect(Baseline.parse(text).apply([{ sample, report }])).toMatchObject([{ findings: [] }]);
});

test('all flags are described', async () => {
  const { stdout } = await copyOf(example).run('torture', '--help');
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!);
  expect(flags).toContain('--budget');
  const others = ['--cwd', '--help'];
  expect(flags.filter((flag) => !others.includes(flag) && !markdown.includes(flag))).toEqual([]);
});
