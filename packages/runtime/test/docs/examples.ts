import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type CodeBlock, atTheirLines, codeBlocks } from './code-blocks.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const here = path.join(root, 'packages/runtime/test/docs');

/** The Markdown files whose examples are tested, from the root of the repository. */
async function pages(): Promise<string[]> {
  const inDocs = await readdir(path.join(root, 'docs/runtime'));
  return ['packages/runtime/README.md', ...inDocs.map((name) => `docs/runtime/${name}`)].filter((name) =>
    name.endsWith('.md'),
  );
}

/** Where a page is. */
export function pagePath(name: string): string {
  return path.join(root, name);
}

/** The text of a page. */
export function page(name: string): Promise<string> {
  return readFile(pagePath(name), 'utf8');
}

/**
 * The examples of all pages as modules in one folder, from which they are type-checked and run: the blocks with a
 * title are files of that name, and the other ones of a page are one module together, named after the page.
 */
export class Examples implements AsyncDisposable {
  readonly #folder: string;
  readonly #pages: ReadonlyMap<string, string>;

  private constructor(folder: string, written: ReadonlyMap<string, string>) {
    this.#folder = folder;
    this.#pages = written;
  }

  static async write(): Promise<Examples> {
    // Here, where imports of packages are resolved as in the tests; a dot keeps it from tools that look everywhere.
    const folder = await mkdtemp(path.join(here, '.examples-'));
    const written = new Map<string, string>();
    for (const name of await pages()) {
      for (const [file, blocks] of filesOf(name, codeBlocks(await page(name)))) {
        if (written.has(file)) throw new Error(`${file} is in ${name} and in ${written.get(file)}`);
        written.set(file, name);
        await writeFile(path.join(folder, file), `${atTheirLines(blocks)}${ending(file)}`);
      }
    }
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(compilerConfig([...written.keys()])));
    return new Examples(folder, written);
  }

  /** The path of a module or file. */
  path(file: string): string {
    return path.join(this.#folder, file);
  }

  /** What the compiler says about all of them, with the places in the Markdown files; empty when all is well. */
  async typeErrors(): Promise<string> {
    const compiler = path.join(root, 'node_modules/.bin/tsc');
    try {
      await promisify(execFile)(compiler, ['-p', this.#folder, '--pretty', 'false']);
      return '';
    } catch (error) {
      const { stdout } = error as { stdout: string };
      // Mistakes elsewhere are for `npm run typecheck` to find.
      const [, ...ours] = stdout.split(/^\S*\.examples-\w+\//m);
      return ours.map((each) => each.replace(/^[^(]+/, (file) => this.#pages.get(file) ?? file)).join('');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function filesOf(name: string, blocks: readonly CodeBlock[]): Map<string, CodeBlock[]> {
  const files = new Map<string, CodeBlock[]>();
  for (const block of blocks) {
    if (block.language !== 'ts' && block.title === undefined) continue;
    const file = block.title ?? `${path.basename(name, '.md').toLowerCase()}.page.ts`;
    files.set(file, [...(files.get(file) ?? []), block]);
  }
  return files;
}

/** A file without imports is a module, too. */
function ending(file: string): string {
  return file.endsWith('.ts') ? 'export {};\n' : '';
}

function compilerConfig(files: readonly string[]): object {
  return {
    extends: '../../../../../tsconfig.base.json',
    compilerOptions: {
      noEmit: true,
      composite: false,
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
      // On the sources, as the tests run them.
      paths: {
        'ots-runtime': ['../../../src/index.ts'],
        'ots-runtime/debugging': ['../../../src/debugging/debugging.ts'],
        'ots-runtime/pattern': ['../../../src/pattern/pattern.ts'],
        'ots-runtime/testing': ['../../../src/testing/testing.ts'],
        'ots-kubernetes': ['../../../../kubernetes/src/index.ts'],
        'ots-kubernetes/*': ['../../../../kubernetes/src/*.ts'],
      },
    },
    files: [
      fileURLToPath(new URL('prelude.ts', import.meta.url)),
      ...files.filter((file) => file.endsWith('.ts')),
    ],
  };
}
