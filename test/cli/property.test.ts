import { writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as fc from 'fast-check';
import { parseSync } from 'oxc-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { memoryFileSystem } from '../support/memory-file-system.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { unicodeCharacter } from '../support/unicode-character.ts';
import { propertyRuns } from '../support/property-runs.ts';

/** How many command lines are tried for each command. */
const runCount = propertyRuns(60);
const homePath = '/home/me';
const projectPath = `${homePath}/ship`;
const gvk = ['--group', 'crew', '--version', 'v1', '--kind', 'Captain'];

/** The project that commands run on, and an empty home. */
let project: Record<string, string>;
const home = { '/': '', '/home/': '', [`${homePath}/`]: '' };
beforeAll(async () => {
  const fs = memoryFileSystem(home);
  for (const args of [
    ['init', 'ship', '--skip-install', '--domain', 'example.com', '--cwd', homePath],
    ['create', 'api', ...gvk],
    ['create', 'api', '--group', 'crew', '--version', 'v2', '--kind', 'Captain'],
    ['create', 'webhook', ...gvk, '--defaulting'],
    ['create', 'api', '--group', 'crew', '--version', 'v1', '--kind', 'Cook'],
  ]) {
    const { code, stderr } = await run(args[0] === 'init' ? homePath : projectPath, args, { fs });
    if (code !== 0) throw new Error(stderr);
  }
  // Tarballs are of no interest here, and large.
  project = Object.fromEntries(Object.entries(fs.content()).filter(([path]) => !path.endsWith('.tgz')));
});

/** One word each. */
const nastyWords = String.raw`
  - -- -x --help --force --dry-run= -q = --kind=Captain , a,,b . .. / // a/b ../../etc /etc/passwd C:\x .git a\b ~ src
  PROJECT ./src/external/x.ts __proto__ constructor toString hasOwnProperty prototype null undefined NaN true 0 none yes
  on 0x1 1e3 2026-01-01 $(reboot) ;reboot * %s {{x}} {{{x}}} ' " \ */ /* # &a !b @webhook kubernetes.io x.k8s.io v0 v01
  v1alpha0 Captains CAPTAIN CaptainList String Crew é K 👩‍👩‍👧`;

const nastyBlanks = [
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  'a\nb',
  'a\u2028b',
  '\u202Eabc',
  '\uFEFF',
  '\uD800',
  '\u001B[31mred',
];
const nastyTexts = [
  'sl, sail',
  'x: y',
  '- x',
  '@rbac groups=x',
  '+kubebuilder:rbac:groups=x',
  '${x}',
  '`id`',
];
const longTexts = ['a', 'A', 'Aa', 'a-', 'v1', 'a.'].flatMap((part) => [part.repeat(32), part.repeat(5_000)]);
const nastyValues = [...nastyWords.trim().split(/\s+/), ...nastyBlanks, ...nastyTexts, ...longTexts];

/** Texts of all sorts, and texts that come close to names. No system hands a program a NUL in its arguments. */
const text = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...nastyValues) },
    fc.string({ unit: unicodeCharacter, maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.stringMatching(/^[A-Z][a-zA-Z0-9]{0,30}$/),
    fc.stringMatching(/^[a-z][a-z0-9.-]{0,30}$/),
    fc.stringMatching(/^v[0-9]{1,2}((alpha|beta)[0-9])?$/),
    fc.stringMatching(/^[/.]{0,2}[a-z./@-]{0,20}$/),
  )
  .map((value) => value.replaceAll('\0', ''));

/** A command line: some flags with a value of any kind, and the others with good values, or left out. */
function commandLine(
  command: readonly string[],
  good: Readonly<Record<string, string>>,
  others: readonly string[],
): fc.Arbitrary<string[]> {
  const flags = [...Object.keys(good), ...others];
  const chosenFlags = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...flags).map((flag) => [flag]) },
    { weight: 1, arbitrary: fc.subarray(flags, { minLength: 2, maxLength: 2 }) },
  );
  const given = fc.tuple(chosenFlags, fc.array(text, { minLength: 2, maxLength: 2 }));
  return fc.tuple(given, fc.boolean()).map(([[chosen, values], inline]) => {
    const pairs = chosen.flatMap((flag, index) => {
      const value = values[index] ?? '';
      return inline || booleanFlags.has(flag) ? [`${flag}=${value}`] : [flag, value];
    });
    const rest = Object.entries(good).filter(([flag]) => !chosen.includes(flag));
    return [...command, ...rest.flat().filter((word) => word !== ''), ...pairs];
  });
}

const booleanFlags = new Set(['--resource', '--controller', '--namespaced', '--multigroup', '--olm']);

/** An error and a hint, without anything that would break the line, or paint it. */
// oxlint-disable-next-line no-control-regex -- they are what must not be there
const errorAndHint = /^error: [^\0-\x1f\x7f-\x9f\u2028-\u202e]+\nhint: [^\0-\x1f\x7f-\x9f\u2028-\u202e]+\n$/;

/**
 * Runs a command line. Refused, it changes nothing and says why in two lines; accepted, it leaves sources that can be
 * read and a project with nothing left to generate.
 */
async function tryOut(start: Record<string, string>, cwd: string, args: string[]): Promise<void> {
  const fs = memoryFileSystem(start);
  const { code, stdout, stderr } = await run(cwd, args, { fs });
  const after = fs.content();
  expect([0, 1, 2]).toContain(code);
  if (code !== 0) {
    expect(stdout).toBe('');
    expect(stderr).toMatch(errorAndHint);
    expect(stderr).not.toContain('bug in ots');
    expect(after).toEqual(start);
    return;
  }
  expect(stderr).toBe('');
  const changed = Object.keys(after).filter((path) => after[path] !== start[path]);
  for (const path of changed) {
    expect(path).not.toContain('/.ots/');
    const content = Buffer.from(after[path] ?? '', 'latin1').toString('utf8');
    if (path.endsWith('.ts')) expect([path, parseSync(path, content).errors]).toEqual([path, []]);
    const documents = /\.ya?ml$|PROJECT$/.test(path) ? parseAllDocuments(content) : [];
    for (const { errors } of documents) expect([path, errors]).toEqual([path, []]);
    if (path.endsWith('.json')) expect(() => JSON.parse(content) as unknown, path).not.toThrow();
  }
  const root = changed.find((path) => path.endsWith('/PROJECT'));
  if (root === undefined) return;
  const again = await run(posix.dirname(root), ['manifests', '--dry-run'], { fs });
  expect(again).toEqual({ code: 0, stdout: 'Nothing to do: everything is up to date\n', stderr: '' });
}

const commands: readonly (readonly [string, fc.Arbitrary<string[]>])[] = [
  [
    'init',
    commandLine(
      ['init', '--skip-install'],
      { '--domain': 'example.com', '--project-name': 'boat', '--repo': 'boat', '--owner': 'Acme' },
      ['--license', '--license-file', '--plugins', '--cwd'],
    ),
  ],
  [
    'init in a directory',
    text.map((directory) => ['init', '--skip-install', '--domain', 'example.com', '--', directory]),
  ],
  [
    'create api',
    commandLine(['create', 'api'], { '--group': 'crew', '--version': 'v1', '--kind': 'Sailor' }, [
      '--plural',
      '--short-name',
      '--categories',
      '--resource',
      '--controller',
      '--namespaced',
      '--controller-name',
      '--external-api-path',
      '--external-api-domain',
      '--cwd',
    ]),
  ],
  [
    'create webhook',
    commandLine(
      ['create', 'webhook', '--programmatic-validation'],
      { '--group': 'crew', '--version': 'v1', '--kind': 'Captain' },
      ['--spoke', '--defaulting-path', '--validation-path', '--external-api-path', '--external-api-domain'],
    ),
  ],
  [
    'create webhook --conversion',
    commandLine(
      ['create', 'webhook', '--conversion'],
      { '--group': 'crew', '--version': 'v1', '--kind': 'Captain', '--spoke': 'v2' },
      ['--force', '--cwd'],
    ),
  ],
  [
    'delete api',
    commandLine(['delete', 'api'], { '--group': 'crew', '--version': 'v1', '--kind': 'Cook' }, [
      '--resource',
      '--controller-name',
      '--cwd',
    ]),
  ],
  [
    'delete webhook',
    commandLine(
      ['delete', 'webhook', '--defaulting'],
      { '--group': 'crew', '--version': 'v1', '--kind': 'Captain' },
      ['--spoke', '--cwd'],
    ),
  ],
  [
    'edit',
    commandLine(['edit'], {}, [
      '--multigroup',
      '--namespaced',
      '--olm',
      '--owner',
      '--license',
      '--license-file',
    ]),
  ],
  [
    'any words',
    fc.array(fc.oneof(text, fc.constantFrom('init', 'create', 'api', 'edit', '--kind')), { maxLength: 5 }),
  ],
];

describe('whatever is typed', () => {
  test.each(commands)(
    'ots %s is refused in two lines, or done completely',
    { timeout: 120_000 },
    async (name, lines) => {
      await fc.assert(
        fc.asyncProperty(lines, async (args) => {
          const isInit = name.startsWith('init');
          await tryOut(isInit ? home : project, isInit ? homePath : projectPath, args);
        }),
        // A new project is the most work.
        { numRuns: name.startsWith('init') ? runCount / 4 : runCount },
      );
    },
  );

  test('is refused as a license text, or can be reverted to the byte', { timeout: 120_000 }, async () => {
    const file = join(temporaryDirectory(), 'header.txt');
    const comment = fc.oneof(
      text,
      text.map((value) => `/* ${value} */`),
      fc.array(text, { maxLength: 4 }).map((lines) => lines.join('\n')),
    );
    await fc.assert(
      fc.asyncProperty(comment, async (content) => {
        writeFileSync(file, content);
        const fs = memoryFileSystem(project);
        const { code } = await run(projectPath, ['edit', '--license-file', file], { fs });
        await tryOut(project, projectPath, ['edit', '--license-file', file]);
        const owner = ['--owner', 'The ship authors'];
        if (code === 0) await run(projectPath, ['edit', '--license', 'apache2', ...owner], { fs });
        expect(fs.content()).toEqual(project);
      }),
      { numRuns: runCount / 4 },
    );
  });
});
