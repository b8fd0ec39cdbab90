import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

// The pages for contributors name files, folders and scripts that exist.

const root = fileURLToPath(new URL('../../', import.meta.url));
const packages = readdirSync(join(root, 'packages'));
const pages = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/architecture.md',
  ...packages.map((name) => `packages/${name}/README.md`),
].filter((page) => existsSync(join(root, page)));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const topFolders = /^(?:\.ci|\.github|bench|bin|docs|examples|packages|scripts|src|templates|test)\/[^\s:]*$/;

/** A page without the section about a scaffolded project, whose paths are not those of this repository. */
function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8').replace(/^## Your first operator\n[^]*?(?=^## )/m, '');
}

/** Inline code, and the first words of the lines of blocks without a language, which show folders. */
function namedIn(text: string): string[] {
  const blocks = Array.from(text.matchAll(/^```\n([^]*?)^```$/gm), ([, block]) => block!);
  const words = blocks.flatMap((block) => block.split('\n').flatMap((line) => line.split(/ {2,}/)));
  const code = Array.from(text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g), ([, span]) => span!);
  return [...words, ...code];
}

/** Whether a path exists. `<name>` and `*` stand for any name, `**` for any folders. */
function exists(path: string, from = root): boolean {
  const [first = '', ...rest] = path.replace(/\/$/, '').split('/');
  if (first === '**') {
    return exists(rest.join('/'), from) || foldersIn(from).some((name) => exists(path, join(from, name)));
  }
  const pattern = first.replaceAll(/[.+^$()|[\]\\]/g, '\\$&').replaceAll(/<[^>]+>|\*/g, '[^/]+');
  const names = readdirSync(from).filter((name) => new RegExp(`^${pattern}$`).test(name));
  if (rest.length === 0) return names.length > 0;
  return names.some((name) => foldersIn(from).includes(name) && exists(rest.join('/'), join(from, name)));
}

function foldersIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

describe.each(pages)('%s', (page) => {
  const text = textOf(page);

  test('names paths that exist', () => {
    const paths = namedIn(text).filter((name) => topFolders.test(name) && !name.startsWith('src/api'));
    const here = join(root, dirname(page));
    expect(paths.filter((path) => !exists(path) && !exists(path, here))).toEqual([]);
  });
});

const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`);

test.each([...pages, ...guides])('%s has links that lead somewhere', (page) => {
  const prose = readFileSync(join(root, page), 'utf8')
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');
  const links = Array.from(prose.matchAll(/\]\(([^)\s#]*)#?([^)]*)\)/g), ([, path, anchor]) => ({
    target: path ? join(root, dirname(page), path) : join(root, page),
    path: path!,
    anchor: anchor!,
  })).filter(({ path }) => !/^[a-z]+:/.test(path));
  const broken = links.filter(
    ({ target, anchor }) => !existsSync(target) || (anchor && !anchorsIn(target).includes(anchor)),
  );
  expect(broken).toEqual([]);
});

/** The anchors that GitHub gives to the headings of a page. */
function anchorsIn(file: string): string[] {
  const headings = readFileSync(file, 'utf8')
    .replaceAll(/^```[^]*?^```$/gm, '')
    .matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

test.each(['AGENTS.md', 'CONTRIBUTING.md'])('%s names scripts that exist', (page) => {
  const named = Array.from(textOf(page).matchAll(/npm run ([\w:-]+)(?! -w)(?=[`\s])/g), ([, name]) => name!);
  const own = named.filter((name) => !name.startsWith('generate'));
  expect(own.filter((name) => !(name in scripts))).toEqual([]);
});

test('CONTRIBUTING.md describes every script', () => {
  const text = textOf('CONTRIBUTING.md');
  const names = Object.keys(scripts).filter((name) => name !== 'prepare' && name !== 'test');
  expect(names.filter((name) => !text.includes(`\`npm run ${name}\``))).toEqual([]);
});

test.each([
  ['docs/architecture.md', 'src', 'src/'],
  ['docs/architecture.md', 'src/manifests', 'src/manifests/'],
])('%s describes every folder of %s', (page, directory, prefix) => {
  const rows = Array.from(textOf(page).matchAll(/^\| `([^`]+)\/` \|/gm), ([, folder]) => folder!);
  const described = rows
    .filter((folder) => folder.startsWith(prefix))
    .map((folder) => folder.slice(prefix.length));
  const folders = foldersIn(join(root, directory));
  const top = new Set(described.map((folder) => folder.split('/')[0]!));
  expect(folders.filter((name) => !top.has(name))).toEqual([]);
});

describe.each(['apimachinery', 'runtime', 'apiserver', 'cel', 'testing'])(
  'packages/%s/README.md, Inside',
  (name) => {
    const [, inside = ''] = textOf(`packages/${name}/README.md`).split('## Inside\n');
    const [section = ''] = inside.split('\n## ');
    const rows = Array.from(section.matchAll(/^\| (`.*?) \|/gm), ([, cell]) =>
      Array.from(cell!.matchAll(/`([\w-]+)\/`/g), ([, folder]) => folder!),
    );
    const source = join(root, 'packages', name, 'src');

    test('describes every folder', () => {
      expect(rows.flat().toSorted()).toEqual(foldersIn(source).toSorted());
    });

    test('lists a folder above those that it imports', () => {
      const rowOf = new Map(rows.flatMap((folders, row) => folders.map((folder) => [folder, row] as const)));
      const upward = rows.flat().flatMap((folder) =>
        valueImportsOf(join(source, folder))
          .filter((other) => rowOf.get(other)! < rowOf.get(folder)!)
          .map((other) => `${folder} imports ${other}`),
      );
      expect(upward).toEqual([]);
    });
  },
);

/** The sibling folders that the modules of a folder import at run time. */
function valueImportsOf(folder: string): string[] {
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const texts = modules.map((name) => readFileSync(join(folder, name), 'utf8'));
  const imports = texts.flatMap((text) =>
    Array.from(text.matchAll(/^import (?!type )[^;]*? from '(?:\.\.\/)+([\w-]+)\//gm), ([, name]) => name!),
  );
  return [...new Set(imports)];
}
