import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copySync, outputFileSync } from 'fs-extra/esm';
import { expect } from 'vitest';
import { run } from './run.ts';
import { snapshot } from './snapshot.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import type { TestProject } from './test-project.ts';

/** A project whose author is the test. */
export interface EditableProject extends TestProject {
  read(path: string): string;
  write(path: string, content: string | Buffer): void;
  /** Changes the text of a file, and fails when that makes no difference. */
  change(path: string, edit: (text: string) => string): void;
  /** Runs a command that has to succeed. @returns what it printed */
  succeed(...args: string[]): Promise<string>;
  /** Runs a command that has to be refused, without changing a byte. @returns its error, as --json has it */
  refuse(...args: string[]): Promise<{ code: string; message: string; hint: string }>;
}

/** A copy of a project that one test may change; it is gone when the test is over. */
export function copyOf(project: Pick<TestProject, 'directory'>): EditableProject {
  const directory = temporaryDirectory();
  copySync(project.directory, directory);
  const at = (path: string): string => join(directory, path);
  const read = (path: string): string => readFileSync(at(path), 'utf8');
  const write = (path: string, content: string | Buffer): void => outputFileSync(at(path), content);
  return {
    directory,
    run: (...args) => run(directory, args),
    runIn: (context, ...args) => run(directory, args, context),
    read,
    write,
    change(path, edit) {
      const text = read(path);
      const edited = edit(text);
      if (edited === text) throw new Error(`${path} is as it was`);
      write(path, edited);
    },
    async succeed(...args) {
      const { code, stdout, stderr } = await run(directory, args);
      expect([code, stderr], args.join(' ')).toEqual([0, '']);
      return stdout;
    },
    async refuse(...args) {
      const before = snapshot(directory);
      const { code, stdout, stderr } = await run(directory, [...args, '--json']);
      expect([code, stderr]).toEqual([1, '']);
      expect(snapshot(directory)).toEqual(before);
      return (JSON.parse(stdout) as { error: { code: string; message: string; hint: string } }).error;
    },
  };
}
