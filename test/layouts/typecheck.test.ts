import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A scaffolded project with its dependencies, which are those of this repository. */
function project(): string {
  const directory = join(temporaryDirectory(), 'project');
  cpSync(join(root, 'test/golden/jobwatcher'), directory, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

const npm = (cwd: string, ...args: string[]) =>
  execa('npm', args, { cwd, reject: false, all: true, stdin: 'ignore' });

/** Adds a line with a type error at the end of a file. @returns where it is, as tsc says it */
function spoil(directory: string, path: string): string {
  const file = join(directory, path);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text}export const wrong: number = 'text';\n`);
  return `${path}(${text.split('\n').length},14): error TS2322`;
}

describe('the types of a project', () => {
  test('are correct as scaffolded', async () => {
    const { exitCode, all } = await npm(project(), 'run', 'typecheck');
    expect([exitCode, all]).toEqual([0, expect.any(String)]);
  });

  test('are reported with file and line, in the code, in tests beside it, and in test/', async () => {
    const directory = project();
    const places = [
      'src/main.ts',
      'src/controllers/job-watcher.controller.test.ts',
      'test/e2e/operator.test.ts',
      'vitest.config.ts',
    ].map((path) => spoil(directory, path));
    for (const command of [['run', 'typecheck'], ['test']]) {
      const { exitCode, all } = await npm(directory, ...command);
      expect(exitCode).not.toBe(0);
      for (const place of places) expect(all).toContain(place);
    }
  });

  test('are checked in the CI of the project', () => {
    const directory = project();
    const workflow = parse(readFileSync(join(directory, '.github/workflows/test.yml'), 'utf8'));
    const commands = workflow.jobs.test.steps.map((step: { run?: string }) => step.run);
    expect(commands).toContain('npm test');
    const { scripts } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    expect(scripts.test).toMatch(/^npm run typecheck && /);
  });
});
