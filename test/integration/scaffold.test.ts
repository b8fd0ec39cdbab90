import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otsBinary } from '../support/ots-binary.ts';
import { scenarios } from './scenarios.ts';
import { testWithoutTorture } from './without-torture.ts';

/** What an author, and the author's CI, run after every step; here, torture tests run after the last one. */
const npmChecks = (isLast: boolean): string[][] => [
  ['ci', '--no-audit', '--no-fund'],
  isLast ? ['test'] : testWithoutTorture,
  ['run', 'build'],
  ['run', 'lint'],
  ['run', 'format:check'],
];

/** Checks that a project's tests ask for a conversion, and writes it: the versions do not differ yet. */
async function writeConversion(cwd: string, path: string): Promise<void> {
  const { exitCode, all } = await execa('npm', testWithoutTorture, {
    cwd,
    stdin: 'ignore',
    all: true,
    reject: false,
  });
  expect(exitCode).not.toBe(0);
  expect(all).toContain('Write the conversion, and remove its TODO');
  expect(all).toMatch(/Tests .*1 failed/);
  const file = join(cwd, path);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/ \* TODO: write[^]*? \*\n/, ''));
}

describe.each(Object.entries(scenarios))('%s', (_, steps) => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'ots-scaffold-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.each(steps)('$step', async ({ step, args, unwritten }) => {
    const cwd = directory;
    for (const command of args)
      await execa(process.execPath, [otsBinary, ...command], { cwd, stdin: 'ignore' });
    for (const check of npmChecks(step === steps.at(-1)!.step)) {
      if (unwritten !== undefined && check[0] === 'test') await writeConversion(cwd, unwritten);
      const { exitCode, all } = await execa('npm', check, { cwd, stdin: 'ignore', all: true, reject: false });
      expect(exitCode, `npm ${check.join(' ')}\n${all}`).toBe(0);
    }
    // What was generated while scaffolding is what `npm run manifests` generates.
    const { stdout } = await execa('npm', ['run', 'manifests'], { cwd, stdin: 'ignore' });
    expect(stdout).toContain('Nothing to do');
  });
});
