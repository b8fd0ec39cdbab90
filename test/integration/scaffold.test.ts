import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarios } from './scenarios.ts';

const OTS = fileURLToPath(new URL('../../bin/ots.js', import.meta.url));

/** What an author, and the author's CI, run after every step. */
const CHECKS = [
  ['ci', '--no-audit', '--no-fund'],
  ['test'],
  ['run', 'build'],
  ['run', 'lint'],
  ['run', 'format:check'],
];

describe.each(Object.entries(scenarios))('%s', (_, steps) => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'ots-scaffold-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(steps)('$step', async ({ args }) => {
    const cwd = directory;
    for (const command of args) await execa(process.execPath, [OTS, ...command], { cwd, stdin: 'ignore' });
    for (const check of CHECKS) {
      const { exitCode, all } = await execa('npm', check, { cwd, stdin: 'ignore', all: true, reject: false });
      expect(exitCode, `npm ${check.join(' ')}\n${all}`).toBe(0);
    }
    // What was generated while scaffolding is what `npm run manifests` generates.
    const { stdout } = await execa('npm', ['run', 'manifests'], { cwd, stdin: 'ignore' });
    expect(stdout).toContain('Nothing to do');
  });
});
