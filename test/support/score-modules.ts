import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { sampleFiles } from '../olm/sample-bundle.ts';
import { otsBinary } from './ots-binary.ts';

/** A result of a test, as the command prints it. */
export interface PrintedResult {
  readonly name?: string;
  readonly state: string;
  readonly errors?: readonly string[];
  readonly log?: string;
}

/** The directory of custom tests in a bundle. */
const folder = 'tests/scorecard';

/** The path of a module in an entrypoint. */
export const inBundle = (name: string): string => `./${folder}/${name}`;

/**
 * Writes the sample bundle with modules below a directory, and runs a test for each of some entrypoints.
 *
 * @param modules texts by name
 * @param entrypoints paths of modules and their arguments, separated by commas
 * @returns the exit code, and the results of each test
 */
export async function scoreModules(
  directory: string,
  modules: Readonly<Record<string, string>>,
  entrypoints: readonly string[],
  ...flags: readonly string[]
): Promise<{ code: number | undefined; results: PrintedResult[][] }> {
  const tests = entrypoints.map((entrypoint) => `  - {entrypoint: [${entrypoint}], labels: {suite: own}}\n`);
  const files = {
    ...sampleFiles,
    ...Object.fromEntries(Object.entries(modules).map(([name, text]) => [`${folder}/${name}`, text])),
    [`${folder}/config.yaml`]: `kind: Configuration\nstages:\n- parallel: true\n  tests:\n${tests.join('')}`,
  };
  for (const [file, text] of Object.entries(files)) {
    const absolute = path.join(directory, 'bundle', file);
    mkdirSync(path.dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
  }
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [otsBinary, 'scorecard', 'bundle', '--json', ...flags],
    { cwd: directory, reject: false },
  );
  if (stderr !== '') throw new Error(stderr);
  const { items } = JSON.parse(stdout) as { items: { status: { results: PrintedResult[] } }[] };
  return { code: exitCode, results: items.map(({ status }) => status.results) };
}
