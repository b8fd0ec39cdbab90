import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diffLines } from 'diff';
import { copySync, removeSync } from 'fs-extra/esm';
import type { Example } from './examples.ts';
import { filesOf } from './files-of.ts';
import { run } from './run.ts';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** What an example has beside its project: the story, which replaces the README of the project, and the commands. */
const aboutTheExample = new Set(['README.md', 'commands.txt']);

/** A row of the table of what its author wrote: the path of a file, what it is, and the lines in it. */
const authoredRow = /^\| `([^`]+)` \|(.*)\| (\d+) \|$/gm;

/** The files of the project with their content, by their paths. */
export function projectFilesOf({ directory }: Pick<Example, 'directory'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filesOf(directory)).filter(([path]) => !aboutTheExample.has(path)),
  );
}

/** An example made again from its commands. */
export interface ReplayedExample {
  /** The files as they are after the commands. */
  readonly skeleton: Record<string, string>;
  /** The files as they are with those of the author, and what `ots manifests` then generates. */
  readonly project: Record<string, string>;
}

/**
 * Runs the commands of an example in an empty directory, adds what its author wrote, and generates the manifests.
 *
 * @param parent an empty directory
 * @throws Error when a command fails
 */
export async function replay({ name, directory }: Example, parent: string): Promise<ReplayedExample> {
  const made = join(parent, name);
  mkdirSync(made);
  for (const args of commandsOf(directory)) await succeed(made, args);
  const skeleton = projectFilesOf({ directory: made });
  for (const path of authoredFilesOf(readmeOf(directory))) author(path, directory, made);
  symlinkSync(modules, join(made, 'node_modules'));
  await succeed(made, ['manifests']);
  return { skeleton, project: projectFilesOf({ directory: made }) };
}

/** Brings a file to what its author made of it, who may have deleted it. */
function author(path: string, from: string, to: string): void {
  if (existsSync(join(from, path))) copySync(join(from, path), join(to, path));
  else removeSync(join(to, path));
}

/** The arguments of each command. They have no quotes: what needs some is not part of a skeleton. */
function commandsOf(directory: string): string[][] {
  const lines = readFileSync(join(directory, 'commands.txt'), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [command, ...args] = line.split(' ');
      if (command !== 'ots' || /["'\\]/.test(line))
        throw new Error(`commands.txt of ${directory}: "${line}" is not an ots command without quotes`);
      return args;
    });
}

async function succeed(directory: string, args: readonly string[]): Promise<void> {
  // Its packages are those of this repository.
  const { code, stderr } = await run(directory, args[0] === 'init' ? [...args, '--skip-install'] : args);
  if (code !== 0) throw new Error(`ots ${args.join(' ')}: ${stderr}`);
}

/** The story of an example. */
export function readmeOf(directory: string): string {
  return readFileSync(join(directory, 'README.md'), 'utf8');
}

/** The paths of the files that the author changed, added or deleted, which the README lists. */
export function authoredFilesOf(readme: string): string[] {
  return Array.from(readme.matchAll(authoredRow), ([, path]) => path!);
}

/** A README whose table has the right numbers: the lines that the author added to what the commands made, without empty ones. */
export function withLineCounts(readme: string, directory: string, { skeleton }: ReplayedExample): string {
  const counts = { tests: 0, operator: 0 };
  const counted = readme.replaceAll(authoredRow, (_, path: string, what: string) => {
    const file = join(directory, path);
    const lines = existsSync(file) ? addedLines(skeleton[path] ?? '', readFileSync(file, 'utf8')) : 0;
    counts[isTest(path) ? 'tests' : 'operator'] += lines;
    return `| \`${path}\` |${what}| ${lines} |`;
  });
  return counted
    .replace(/^\| \*\*the operator\*\* \| \| \d+ \|$/m, `| **the operator** | | ${counts.operator} |`)
    .replace(/^\| \*\*its tests\*\* \| \| \d+ \|$/m, `| **its tests** | | ${counts.tests} |`);
}

/** A test, or what tests share. */
function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/');
}

function addedLines(before: string, after: string): number {
  return diffLines(before, after)
    .filter(({ added }) => added)
    .flatMap(({ value }) => value.split('\n'))
    .filter((line) => line.trim() !== '').length;
}
