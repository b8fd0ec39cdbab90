import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { EditableProject } from '../support/copy-of.ts';
import { goldenCopy, runIn } from '../support/golden-copy.ts';

/** Adds a line with a type error at the end of a file. @returns where it is, as tsc says it */
function spoil(project: EditableProject, path: string): string {
  const text = project.read(path);
  project.write(path, `${text}export const wrong: number = 'text';\n`);
  return `${path}(${text.split('\n').length},14): error TS2322`;
}

describe('the types of a project', () => {
  test('are correct as scaffolded', async () => {
    const { exitCode, all } = await runIn(goldenCopy('jobwatcher'), 'npm', 'run', 'typecheck');
    expect([exitCode, all]).toEqual([0, expect.any(String)]);
  });

  test('are reported with file and line, in the code, in tests beside it, and in test/', async () => {
    const project = goldenCopy('jobwatcher');
    const places = [
      'src/main.ts',
      'src/controllers/job-watcher.controller.test.ts',
      'test/e2e/operator.test.ts',
      'vitest.config.ts',
    ].map((path) => spoil(project, path));
    for (const command of [['run', 'typecheck'], ['test']]) {
      const { exitCode, all } = await runIn(project, 'npm', ...command);
      expect(exitCode).not.toBe(0);
      for (const place of places) expect(all).toContain(place);
    }
  });

  test('are checked in the CI of the project', () => {
    const project = goldenCopy('jobwatcher');
    const workflow = parse(project.read('.github/workflows/test.yml'));
    const commands = workflow.jobs.test.steps.map((step: { run?: string }) => step.run);
    expect(commands).toContain('npm test');
    const { scripts } = JSON.parse(project.read('package.json'));
    expect(scripts.test).toMatch(/^npm run manifests:check && npm run typecheck && /);
  });
});
