import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copySync } from 'fs-extra/esm';
import { expect, test } from 'vitest';
import { codeBlocks } from '../../packages/runtime/test/docs/code-blocks.ts';
import { keptFiles } from '../../src/layouts/typescript/stage-init.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { testProject } from '../support/test-project.ts';

// The commands of docs/update.md do what it says.

const page = readFileSync('docs/update.md', 'utf8');
const commands = codeBlocks(page)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ code }) => code.trim().split('\n'))
  .filter((line) => line.startsWith('ots '));
const project = await testProject();

test('the page has the commands', () => {
  expect(commands).toHaveLength(4);
});

test.each(commands.filter((command) => !command.includes('--base')))('%s', async (command) => {
  const directory = join(temporaryDirectory(), 'project');
  copySync(project.directory, directory);
  expect(await run(directory, command.split(' ').slice(1))).toMatchObject({ code: 0, stderr: '' });
});

test.each(['generate', 'update'])('the flags of ots alpha %s are described', async (name) => {
  const { stdout } = await project.run('alpha', name, '--help');
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!);
  const shared = ['--json', '--cwd', '--quiet', '--verbose', '--help'];
  for (const flag of flags.filter((each) => !shared.includes(each))) expect(page).toContain(flag);
});

test('the page names the files that stay as they were before ots init', () => {
  const [row = ''] = page.split('\n').filter((line) => line.includes('before `ots init`'));
  for (const file of keptFiles) expect(row).toContain(`\`${file}\``);
});
