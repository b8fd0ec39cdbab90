import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { codeBlocks } from '../../packages/runtime/test/docs/code-blocks.ts';
import { sampleFiles } from '../olm/sample-bundle.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

// The commands of docs/olm.md that read a bundle do what it says.

const blocks = codeBlocks(readFileSync('docs/olm.md', 'utf8'));
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ code }) => code.trim().split('\n'))
  .filter((line) => /^ots (?:scorecard|bundle validate) /.test(line));
const configuration = blocks.find(({ code }) => code.includes('scorecard-test'))!.code;

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
  for (const bundle of ['bundle', 'released/bundle'])
    for (const [file, text] of Object.entries({
      ...sampleFiles,
      'tests/scorecard/config.yaml': configuration,
    })) {
      const absolute = path.join(directory, bundle, file);
      mkdirSync(path.dirname(absolute), { recursive: true });
      writeFileSync(absolute, text);
    }
});

describe('commands', () => {
  test('are there', () => {
    expect(commands).toContain('ots scorecard bundle');
    expect(commands).toContain('ots bundle validate bundle --select-optional name=olmv1');
  });

  test.each(commands)('%s', async (command) => {
    expect(await run(directory, command.split(' ').slice(1))).toMatchObject({ code: 0, stderr: '' });
  });
});

test('the flags of ots scorecard are described', async () => {
  const { stdout } = await run(directory, ['scorecard', '--help']);
  const [, section = ''] = readFileSync('docs/olm.md', 'utf8').split('\n## Score a bundle\n');
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!);
  const shared = ['--cwd', '--quiet', '--verbose', '--help'];
  for (const flag of flags.filter((each) => !shared.includes(each))) expect(section).toContain(flag);
});
