import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { otsBinary } from '../support/ots-binary.ts';
import { run } from '../support/run.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const kind = (version: string) => ['--group', 'zoo', '--version', version, '--kind', 'Ant'];

/** Between them, these commands load every part of the bundle. */
const commands = [
  ['init', '--skip-install', '--domain', 'example.com', '--project-name', 'zoo'],
  ['create', 'api', ...kind('v1')],
  ['create', 'webhook', ...kind('v1'), '--defaulting', '--programmatic-validation'],
  ['create', 'api', ...kind('v2')],
  ['create', 'webhook', ...kind('v1'), '--conversion', '--spoke', 'v2'],
  ['edit', '--multigroup'],
  ['manifests'],
  ['manifests', '--check'],
  ['completion', 'bash'],
];

/** Adds a CEL rule, a pattern and a default that the rules of a type allow. */
function addRule(directory: string): void {
  const path = join(directory, 'src/api/v1/ant.ts');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('   * @default 1\n', '   * @default 1\n   * @cel self < 7\n'));
}

test('the built CLI does what its sources do', { timeout: 120_000 }, async () => {
  const [built, fromSources] = [temporaryDirectory(), temporaryDirectory()];
  for (const command of commands) {
    if (command[0] === 'edit') for (const directory of [built, fromSources]) addRule(directory);
    const { exitCode, stdout, stderr } = await execa(process.execPath, [otsBinary, ...command], {
      cwd: built,
      reject: false,
    });
    const expected = await run(fromSources, command);
    expect({ command, code: exitCode, stdout, stderr }).toStrictEqual({
      command,
      code: expected.code,
      stdout: expected.stdout.trimEnd(),
      stderr: expected.stderr.trimEnd(),
    });
    expect(exitCode).toBe(0);
  }
  expect(snapshot(built)).toStrictEqual(snapshot(fromSources));
});

test('the built CLI needs no package but its dependencies', { timeout: 60_000 }, async () => {
  const directory = temporaryDirectory();
  const root = fileURLToPath(new URL('../../', import.meta.url));
  for (const path of ['bin', 'dist', 'package.json'])
    cpSync(join(root, path), join(directory, path), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const link = join(directory, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  const ots = async (...args: string[]): Promise<unknown> => {
    const command = [join(directory, 'bin/ots.cjs'), ...args, '--json'];
    const { stdout, stderr } = await execa(process.execPath, command, { cwd: directory, reject: false });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };
  expect(await ots('apiserver', '--workloads', '--dry-run')).toMatchObject({ nodes: 1 });
  expect(await ots('deploy')).toMatchObject({ error: { code: 'NO_PROJECT' } });
});
