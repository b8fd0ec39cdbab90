// Bundles the page of `ots dev` (src/dev/page) into static files: part of build-cli.mjs. By itself, it makes only the page:
// node scripts/bundle-page.mjs
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { copy, emptyDir } from 'fs-extra/esm';
import { rolldown } from 'rolldown';
import { rootDirectory } from './bundle.mjs';

const source = new URL('src/dev/page/', rootDirectory);
/** Of all files of the page, compressed. */
const maxPageBytes = 60_000;

/**
 * Writes index.html, icon.svg, page.js and page.css.
 *
 * @param directory URL of the output, ending in a slash
 * @returns the files that went in
 * @throws if the page became too large
 */
export async function bundlePage(directory) {
  await emptyDir(fileURLToPath(directory));
  const build = await rolldown({
    cwd: fileURLToPath(source),
    input: { page: 'main.tsx' },
    platform: 'browser',
    transform: { target: ['chrome109', 'firefox115'] },
  });
  const { output } = await build.write({ dir: fileURLToPath(directory), format: 'esm', minify: true });
  await build.close();
  for (const file of ['index.html', 'icon.svg', 'page.css']) {
    await copy(fileURLToPath(new URL(file, source)), fileURLToPath(new URL(file, directory)));
  }
  await checkSize(directory, ['index.html', 'icon.svg', 'page.css', 'page.js']);
  return output.flatMap((chunk) => chunk.moduleIds ?? []);
}

async function checkSize(directory, files) {
  const contents = await Promise.all(files.map((file) => readFile(new URL(file, directory))));
  const bytes = contents.reduce((sum, content) => sum + gzipSync(content).length, 0);
  if (bytes > maxPageBytes) {
    throw new Error(`The page of ots dev has ${bytes} bytes compressed, more than ${maxPageBytes}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundlePage(new URL('dist/dev-page/', rootDirectory));
