import { cpSync } from 'node:fs';
import { run } from './run.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import type { TestProject } from './test-project.ts';

/** A copy of a project that one test may change; it is gone when the test is over. */
export function copyOf(project: Pick<TestProject, 'directory'>): TestProject {
  const directory = temporaryDirectory();
  cpSync(project.directory, directory, { recursive: true });
  return {
    directory,
    run: (...args) => run(directory, args),
    runIn: (context, ...args) => run(directory, args, context),
  };
}
