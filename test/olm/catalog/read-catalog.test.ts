import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isIgnored, parseIndexIgnore } from '../../../src/olm/catalog/index-ignore.ts';
import { readCatalog } from '../../../src/olm/catalog/read-catalog.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

function directoryWith(files: Readonly<Record<string, string>>): string {
  const root = temporaryDirectory();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}

test('every file below a directory is read, but those that .indexignore names', async () => {
  const root = directoryWith({
    'a.yaml': 'schema: a\n',
    'deep/er/b.json': '{"schema":"b"}',
    'deep/.hidden': 'schema: c\n',
    'README.md': '# Catalog\n',
    '.indexignore': '*.md\n',
    'deep/.indexignore': '# not ready\n/draft/\n',
    'deep/draft/x.yaml': 'x: y: z',
  });
  const { others, problems, files } = await readCatalog(root);
  expect(others.map(({ schema, place }) => [schema, place.file])).toEqual([
    ['a', 'a.yaml'],
    ['c', 'deep/.hidden'],
    ['b', 'deep/er/b.json'],
  ]);
  expect([problems, files]).toEqual([[], 3]);
});

test('a link out of the catalog, to a directory or to nothing is a problem', async () => {
  const root = directoryWith({ 'a.yaml': 'schema: a\n', 'folder/b.yaml': 'schema: b\n' });
  symlinkSync('a.yaml', path.join(root, 'good'));
  symlinkSync('/etc/hostname', path.join(root, 'out'));
  symlinkSync('folder', path.join(root, 'directory'));
  symlinkSync('nothing', path.join(root, 'nowhere'));
  symlinkSync('itself', path.join(root, 'itself'));
  const { others, problems } = await readCatalog(root);
  expect(others.map(({ place }) => place.file)).toEqual(['a.yaml', 'folder/b.yaml', 'good']);
  expect(problems.map(({ type, file }) => `${type} ${file}`)).toEqual(
    ['directory', 'itself', 'nowhere', 'out'].map((file) => `unreadable-file ${file}`),
  );
});

describe('.indexignore', () => {
  const ignored = (pattern: string, file: string, directory = '') =>
    isIgnored(file, parseIndexIgnore(pattern, directory));

  test.each([
    ['a', 'a'],
    ['a', 'x/a/y'],
    ['*.md', 'x/y.md'],
    ['a?c', 'abc'],
    ['[a-c]x', 'bx'],
    ['[^a]x', 'bx'],
    ['/a', 'a/b'],
    ['a/', 'a/b'],
    ['x/**/y', 'x/1/2/y'],
    ['x/**', 'x/y'],
    [String.raw`\*`, '*'],
    ['a\n!b\nb', 'b'],
  ])('%j ignores %j', (pattern, file) => {
    expect(ignored(pattern, file)).toBe(true);
  });

  test.each([
    ['a', 'b'],
    ['# a', 'a'],
    ['/a', 'b/a'],
    ['a/', 'a'],
    ['a\n!a', 'a'],
    ['a*', 'b/ca'],
    ['[', '['],
    ['a.c', 'abc'],
    ['x/**y', 'x/y'],
  ])('%j does not ignore %j', (pattern, file) => {
    expect(ignored(pattern, file)).toBe(false);
  });

  test('counts for its own directory', () => {
    expect([ignored('/a', 'x/a', 'x'), ignored('a', 'y/a', 'x')]).toEqual([true, false]);
  });
});
