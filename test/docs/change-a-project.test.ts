import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeBlocks } from '../../packages/runtime/test/docs/code-blocks.ts';
import { run } from '../support/run.ts';
import { snapshot } from '../support/snapshot.ts';
import { testProject } from '../support/test-project.ts';

// The commands of docs/change-a-project.md do what it says, one after the other.

const page = readFileSync('docs/change-a-project.md', 'utf8');
const commands = codeBlocks(page)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ code }) => code.trim().split('\n'))
  .map((line) => line.split(' ').slice(1));

test('the commands undo each other', async () => {
  const { directory } = await testProject();
  const bare = snapshot(directory);
  for (const command of commands)
    expect(await run(directory, command), command.join(' ')).toMatchObject({ code: 0, stderr: '' });
  // The page leaves the type without its controller.
  await run(directory, ['delete', 'api', '--group', 'crew', '--version', 'v1', '--kind', 'Captain']);
  expect(snapshot(directory)).toEqual(bare);
});

test.each(['api', 'webhook'])('the flags of ots delete %s are described', async (name) => {
  const { stdout } = await run('.', ['delete', name, '--help']);
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!);
  const shared = ['--json', '--cwd', '--quiet', '--verbose', '--help'];
  for (const flag of flags.filter((each) => !shared.includes(each))) expect(page).toContain(flag);
});
