import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

/** The release that ots is compared with. */
const controllerGenModule = 'sigs.k8s.io/controller-tools/cmd/controller-gen@v0.23.0';
/** The module whose packages are given to it, if a test has no other. */
const twinsPath = fileURLToPath(new URL('go/', import.meta.url));

/** Whether Go is there; says so where it is not. */
export const hasGo = spawnSync('go', ['version']).status === 0;
if (!hasGo) console.log('SKIPPED: the comparison with controller-gen; install Go to run it');

/**
 * Runs controller-gen on packages.
 * @param files further Go files, by path in the module
 * @param generators such as `crd:maxDescLen=0`
 * @param module the directory of the module
 * @returns the documents of every file that it wrote, by name
 */
export function runControllerGen(
  files: Readonly<Record<string, string>>,
  generators: readonly string[],
  module = twinsPath,
): Record<string, any[]> {
  const directory = mkdtempSync(join(tmpdir(), 'ots-controller-gen-'));
  try {
    cpSync(module, directory, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(directory, dirname(path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    const output = join(directory, 'output');
    const args = ['run', controllerGenModule, ...generators, 'paths=./...', `output:dir=${output}`];
    execFileSync('go', args, { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
    return Object.fromEntries(
      readdirSync(output).map((name) => [name, parse(readFileSync(join(output, name), 'utf8'))]),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function parse(text: string): any[] {
  return parseAllDocuments(text).map((document) => document.toJS({ maxAliasCount: -1 }));
}
