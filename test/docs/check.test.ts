import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeBlocks } from '../../packages/runtime/test/docs/code-blocks.ts';
import { configurationRule, rules } from '../../src/check/rules.ts';
import { checkedProject } from '../support/checked-project.ts';
import { copyOf } from '../support/copy-of.ts';
import type { TestProject } from '../support/test-project.ts';

// docs/check.md lists the rules, and its commands run.

const page = 'docs/check.md';
const markdown = readFileSync(page, 'utf8');
const blocks = codeBlocks(markdown);
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ code }) => code.trim().split('\n'))
  .map((line) => line.replace(/ *#.*/, ''));

let project: TestProject;
beforeAll(async () => {
  project = await checkedProject();
});

// `npm run golden` updates it.
test('the page lists all rules', () => {
  const rows = [
    ...rules.map(({ name, summary }) => `| \`${name}\` | ${summary} |`),
    `| \`${configurationRule}\` | \`ots-check.yaml\` is wrong, or turns nothing off |`,
  ];
  const current = `| rule | finds |\n| --- | --- |\n${rows.join('\n')}\n`;
  const [before = '', rest = ''] = markdown.split('<!-- rules -->\n');
  const [documented, after] = rest.split('<!-- /rules -->');
  if (process.env['MODE'] === 'update-golden' && documented !== current)
    writeFileSync(page, `${before}<!-- rules -->\n${current}<!-- /rules -->${after}`);
  else expect(documented).toBe(current);
});

describe('commands', () => {
  test('are there', () => {
    expect(commands).toContain('ots check --format sarif');
  });

  test.each(commands.filter((command) => !command.includes('--compat')))('%s', async (command) => {
    const copy = copyOf(project);
    expect(await copy.run(...command.split(/ +/).slice(1))).toMatchObject({ code: 0, stderr: '' });
  });
});

test('all flags are described', async () => {
  const { stdout } = await project.run('check', '--help');
  for (const [, flag] of stdout.matchAll(/^ {2}(--(?:fix|compat|format|json|dry-run))/gm))
    expect(markdown).toContain(flag);
});

test('the configuration is one', async () => {
  const copy = copyOf(project);
  copy.write('ots-check.yaml', blocks.find(({ language }) => language === 'yaml')!.code);
  copy.change('Dockerfile', (text) => text.replace('node:24-bookworm-slim', 'node'));
  copy.change('config/samples/crew_v1_captain.yaml', (text) => text.replace('replicas', 'replica'));
  expect((await copy.run('check')).stdout).toBe(
    'No problems found by 18 rules (ots-check.yaml turns off 2)\n',
  );
});

test('the finding is one', async () => {
  const copy = copyOf(project);
  copy.change('src/controllers/captain.controller.ts', (text) =>
    text
      .replace(/^import \{ Captain \}/m, `import { Deployment } from 'ots-kubernetes/apps/v1';\n$&`)
      .replace(/^( *)\/\/ Create and update here.*$/m, '$1await this.#client.apply(Deployment, {});'),
  );
  const { stdout } = await copy.run('check');
  const shown = blocks.find(({ language }) => language === 'text')!.code;
  expect(stdout.split('\n').slice(0, 2).join('\n')).toBe(shown.trimEnd());
});
