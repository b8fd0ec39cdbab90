import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const script = fileURLToPath(new URL('../../scripts/check-style.mjs', import.meta.url));

/** Runs the check on a tree with these files. */
async function check(files: Record<string, string>): Promise<{ code: number | undefined; lines: string[] }> {
  const cwd = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const { exitCode, stderr } = await execa('node', [script, '.'], { cwd, reject: false });
  return { code: exitCode, lines: stderr.split('\n').filter((line) => line !== '') };
}

test('a clean tree passes', async () => {
  const source = [
    '/** Whether the path is not a directory; it is no longer checked. */',
    'const maxNameLength = 63;',
    "export const error = new RangeError('NAME_TOO_LONG', `more than ${maxNameLength} characters`);",
    '',
  ].join('\n');
  expect(await check({ 'src/name.ts': source, 'docs/a.md': 'There is no server.\n' })).toEqual({
    code: 0,
    lines: [],
  });
});

test('each avoided word in a comment, a string or prose is reported with its place', async () => {
  const source = [
    '/**',
    ' * A text for somebody.',
    ' * It is no directory.',
    ' */',
    "export const text = 'nobody mends it';",
    'export const other = `${text} whoever`;',
    '',
  ].join('\n');
  const { code, lines } = await check({ 'a.ts': source, 'page.md': 'Fine.\nThe user is told.\n' });
  expect(code).toBe(1);
  expect(lines).toEqual([
    'a.ts:2: "somebody": write the subject that acts: the user, the author, a process',
    'a.ts:3: "is no directory": write is not a …, has no …',
    'a.ts:5: "nobody": write the subject that acts',
    'a.ts:5: "mends": write fix, update, repair',
    'a.ts:6: "whoever": write the subject that acts',
    'page.md:2: "is told": write receives, knows, is notified',
    '6 problems. The rules are in docs/style.md.',
  ]);
});

test('British spellings are reported in identifiers too', async () => {
  const { lines } = await check({ 'a.ts': 'export const hasColours = true;\n' });
  expect(lines).toEqual(['a.ts:1: "Colour": write color', '1 problem. The rules are in docs/style.md.']);
});

test('names and errors that break the rules are reported', async () => {
  const source = [
    'const MAX_LENGTH = 5;',
    'const longestName = 63;',
    'class Interrupted extends Error {}',
    "export const a = new Error('It failed.');",
    "export const b = new OtsError('no-project', `${MAX_LENGTH} of ${longestName} missing.`, {});",
    "export const c = new Error('waiting …');",
    'export { Interrupted };',
    '',
  ].join('\n');
  const { lines } = await check({
    'src/badName.ts': source,
    'src/a.test.ts': "import { it } from 'vitest';\nit('', () => {});\n",
  });
  expect(lines).toEqual([
    'src/a.test.ts:1: "it": write test',
    'src/badName.ts:1: "badName.ts": write kebab-case',
    'src/badName.ts:1: "MAX_LENGTH": write camelCase',
    'src/badName.ts:2: "longestName": write max…',
    'src/badName.ts:3: "Interrupted": write …Error',
    'src/badName.ts:4: "…It failed.": write no period at the end',
    'src/badName.ts:5: "no-project": write UPPER_SNAKE_CASE',
    'src/badName.ts:5: "… missing.": write no period at the end',
    '8 problems. The rules are in docs/style.md.',
  ]);
});

test('recorded words of Kubernetes are allowed in the packages that repeat them', async () => {
  const text = 'export const message = \'no kind "A" is no match for you\';\n';
  expect(await check({ 'packages/apiserver/src/a.ts': text })).toMatchObject({ code: 0 });
  expect(await check({ 'src/a.ts': text })).toMatchObject({ code: 1 });
});

test('an unknown path fails', async () => {
  const { exitCode, stderr } = await execa('node', [script, 'missing'], { reject: false });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('missing does not exist');
});
