import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkedProject, linesOf } from '../support/checked-project.ts';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { TestProject } from '../support/test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await checkedProject();
});

const sample = 'config/samples/crew_v1_captain.yaml';
const manager = 'config/manager/manager.yaml';

/** The files of a project that `ots check` parses. Those of a group do not hide each other's problems. */
const parsed = [
  ['PROJECT'],
  ['config/default/kustomization.yaml'],
  [manager],
  [
    'package.json',
    'ots-check.yaml',
    '.github/workflows/lint.yml',
    'config/rbac/leader-election-role.yaml',
    'src/main.ts',
    sample,
  ],
];

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const aliases = Array.from({ length: 12 }, (_, level) =>
  level === 0
    ? 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
    : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}*a${level - 1}]`,
).join('\n');

describe('never crashes', () => {
  test.each([
    ['binary', Buffer.from([0, 159, 146, 150, 255, 0])],
    ['empty', ''],
    ['cut off', 'kind: [a, {b: "'],
    ['a list', '- a\n- b\n'],
    ['a text', 'hello\n'],
    ['null', 'null\n'],
    ['deeply nested', `a: ${deep(5000)}\n`],
    ['full of aliases', aliases],
    [
      'of wrong types',
      'kind: 1\nmetadata: []\nspec: text\nresources: {a: b}\njobs: {a: [1]}\nignore: {a: b}\nrules: text\n',
    ],
    ['with odd keys', '__proto__: {a: b}\nconstructor: 1\n? [a, b]\n: c\n'],
  ])('with files that are %s', async (_, content) => {
    const copy = copyOf(project);
    copy.write('ots-check.yaml', '');
    for (const paths of parsed) {
      const before = paths.map((path) => copy.read(path));
      for (const path of paths) copy.write(path, content);
      const { code, stdout, stderr } = await copy.run('check', '--json');
      expect([paths, stderr, stdout.includes('INTERNAL')]).toEqual([paths, '', false]);
      expect(code, paths.join()).toBeLessThan(2);
      for (const [index, path] of paths.entries()) copy.write(path, before[index]!);
    }
  });

  test.each([
    [
      'a list of containers with null',
      'containers:\n        - name: manager',
      'containers:\n        - null\n        - name: manager',
    ],
    [
      'labels that are a text',
      /labels:\n {8}app\S+ .*\n {8}control-plane: controller-manager/,
      'labels: text',
    ],
    [
      'ports that are a map',
      /ports:\n {12}- name: health/,
      'ports:\n            a:\n              name: health',
    ],
    ['metadata without a name', 'metadata:\n  name: controller-manager\n', 'metadata:\n'],
  ])('with %s in a Deployment', async (_, text, replacement) => {
    const copy = copyOf(project);
    copy.change(manager, (before) => before.replace(text, replacement));
    const { code, stdout, stderr } = await copy.run('check', '--json');
    expect([stderr, stdout.includes('INTERNAL')]).toEqual(['', false]);
    expect(code).toBeLessThan(2);
  });

  test.each(['config', 'src', '.github', 'vendor', 'config/samples', 'config/rbac', 'src/controllers'])(
    'without the directory %s',
    async (directory) => {
      const copy = copyOf(project);
      rmSync(join(copy.directory, directory), { recursive: true });
      const { stdout, stderr } = await copy.run('check', '--json');
      expect([stderr, stdout.includes('INTERNAL')]).toEqual(['', false]);
    },
  );
});

describe('unreadable-file', () => {
  test.each<readonly [string, (copy: EditableProject) => void, string]>([
    [
      'a binary file',
      (copy) => copy.write(sample, Buffer.from([0, 1, 2])),
      `${sample}:1: error: ${sample} is not UTF-8 text (unreadable-file)`,
    ],
    [
      'a huge file',
      (copy) => copy.write(sample, `a: ${'x'.repeat(4 * 1024 * 1024)}`),
      `${sample}:1: error: ${sample} is larger than 3 MiB (unreadable-file)`,
    ],
    [
      'deep nesting',
      (copy) => copy.write(sample, `a: ${deep(3000)}`),
      `${sample}:1: error: ${sample} is nested too deeply (unreadable-file)`,
    ],
    [
      'a key that is there twice',
      (copy) => copy.write(sample, 'kind: a\nkind: b\n'),
      `${sample}:2: error: ${sample} is not valid YAML: Map keys must be unique (unreadable-file)`,
    ],
  ])('%s has its place', async (_, edit, expected) => {
    const copy = copyOf(project);
    edit(copy);
    expect(await linesOf(copy)).toEqual([expected]);
  });

  test('a link to a file outside of the project is not followed', async () => {
    const copy = copyOf(project);
    const outside = temporaryDirectory();
    writeFileSync(join(outside, 'secret.yaml'), 'password: abc\n');
    rmSync(join(copy.directory, sample));
    symlinkSync(join(outside, 'secret.yaml'), join(copy.directory, sample));
    const { stdout } = await copy.run('check');
    expect(stdout).toContain(`${sample} is outside the project`);
    expect(stdout).not.toContain('password');
  });

  test('a directory that is a link to outside of the project is not followed', async () => {
    const copy = copyOf(project);
    const outside = temporaryDirectory();
    rmSync(join(copy.directory, 'config/samples'), { recursive: true });
    symlinkSync(outside, join(copy.directory, 'config/samples'));
    expect(await linesOf(copy)).toContainEqual(
      expect.stringContaining('is outside the project (unreadable-file)'),
    );
  });

  test('directories that include each other are reported', async () => {
    const copy = copyOf(project);
    mkdirSync(join(copy.directory, 'config/ring'));
    copy.write('config/ring/kustomization.yaml', 'resources:\n  - ../default\n');
    copy.change('config/default/kustomization.yaml', (text) =>
      text.replace('  - ../crd\n', '  - ../crd\n  - ../ring\n'),
    );
    expect(await linesOf(copy)).toContainEqual(
      expect.stringContaining('it includes itself (kustomize-build)'),
    );
  });
});

test('a project with Windows line endings has no other findings than that generated files have others', async () => {
  const copy = copyOf(project);
  for (const path of [
    'PROJECT',
    'package.json',
    'Dockerfile',
    'Makefile',
    sample,
    manager,
    'src/main.ts',
    'src/controllers/index.ts',
    '.github/workflows/lint.yml',
    'config/default/kustomization.yaml',
  ])
    copy.change(path, (text) => text.replaceAll('\n', '\r\n'));
  expect(await linesOf(copy)).toEqual([]);
});

test('names of files cannot write to the terminal', async () => {
  const copy = copyOf(project);
  copy.write('config/rbac/a\u001b[2Jb.yaml', 'kind: A\napiVersion: v1\n');
  const { stdout } = await copy.run('check');
  expect(stdout).toContain('config/rbac/a [2Jb.yaml:1: warning:');
  expect(stdout).not.toContain('\u001b');
});
