import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Context } from '../../src/context.ts';
import { type RunResult, run } from './run.ts';

/** A scaffolded project, as the author would have it. */
export interface TestProject {
  readonly directory: string;
  run(...args: string[]): Promise<RunResult>;
  runIn(context: Partial<Context>, ...args: string[]): Promise<RunResult>;
}

/** Makes a project with `ots init` and the given commands; it is gone when the test file is done. */
export async function testProject(...steps: readonly string[][]): Promise<TestProject> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'ots-project-')));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const runIn = (context: Partial<Context>, ...args: string[]) => run(directory, args, context);
  const init = ['init', '--skip-install', '--domain', 'example.com', '--project-name', 'ship'];
  for (const step of [init, ...steps]) {
    const { code, stderr } = await runIn({}, ...step);
    if (code !== 0) throw new Error(`${step.join(' ')}: ${stderr}`);
  }
  return { directory, runIn, run: (...args) => runIn({}, ...args) };
}
