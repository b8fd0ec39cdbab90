import { mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { copySync, removeSync } from 'fs-extra/esm';
import { afterAll, beforeAll } from 'vitest';
import { type EditableProject, copyOf } from './copy-of.ts';
import { linkPackages } from './link-packages.ts';
import { otsBinary } from './ots-binary.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A file of a project, what to replace in it, and with what. */
export type Edit = readonly [path: string, text: string | RegExp, replacement: string];

const installed = join(root, 'node_modules');
let modules = installed;

/**
 * Copies the packages of this repository for the golden projects of a test file that run Vitest: it transforms what a link
 * leads to outside of node_modules, which takes longer than the tests.
 */
export function copyPackages(): void {
  beforeAll(() => {
    modules = linkPackages(mkdtempSync(join(tmpdir(), 'ots-installed-')));
    for (const name of readdirSync(join(root, 'packages'))) {
      const target = join(modules, `ots-${name}`);
      removeSync(target);
      for (const part of ['package.json', 'dist'])
        copySync(join(root, 'packages', name, part), join(target, part));
    }
  });
  afterAll(() => {
    removeSync(dirname(modules));
    modules = installed;
  });
}

/** A golden project that its author has changed. Its packages are those of this repository, as they were built. */
export function goldenCopy(golden: string, edits: readonly Edit[] = []): EditableProject {
  const project = copyOf({ directory: join(root, 'test/golden', golden) });
  symlinkSync(modules, join(project.directory, 'node_modules'));
  for (const [path, text, replacement] of edits)
    project.change(path, (before) => before.replace(text, replacement));
  return project;
}

/** What a project prints when its author runs a command in it. */
export async function runIn(
  { directory: cwd }: EditableProject,
  command: string,
  ...args: string[]
): Promise<{ exitCode: number | undefined; all: string }> {
  const commands = temporaryDirectory();
  symlinkSync(otsBinary, join(commands, 'ots'));
  const { exitCode, all } = await execa(command, args, {
    cwd,
    all: true,
    reject: false,
    stdin: 'ignore',
    env: {
      KUBEBUILDER_ASSETS: undefined,
      GITHUB_ACTIONS: undefined,
      NO_COLOR: '1',
      FORCE_COLOR: '0',
      PATH: [commands, process.env['PATH']].join(delimiter),
    },
  });
  return { exitCode, all };
}
