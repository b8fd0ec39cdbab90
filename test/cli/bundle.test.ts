import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
