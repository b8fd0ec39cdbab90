import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputFile, remove } from 'fs-extra/esm';
import { rootDirectory } from './bundle.mjs';

const source = fileURLToPath(new URL('packages/apimachinery/dist/', rootDirectory));
const importPattern = /(?<=['"])ots-apimachinery\/([^'"]+)(?=['"])/g;

/**
 * Copies what a package uses of ots-apimachinery, which is not published, into the package, and points the package's own
 * files at the copies: declarations, and in a package that is not bundled the code too.
 *
 * @param dist URL of the package's files, ending in a slash
 */
export async function embedApimachinery(dist) {
  await remove(path.join(fileURLToPath(dist), 'apimachinery'));
  // Declarations name the sources that they were made from.
  await embed(fileURLToPath(dist), '.d.ts', '.ts');
  await embed(fileURLToPath(dist), '.js', '.js');
}

async function embed(root, suffix, importedAs) {
  const imported = new RegExp(`(?<=['"])(\\.{1,2}/[^'"]+)\\${importedAs}(?=['"])`, 'g');
  // Of an earlier build, which is not compiled again.
  const pointed = new RegExp(`['"](?:\\.{1,2}/)+apimachinery/([^'"]+)\\${importedAs}['"]`, 'g');
  const used = new Set();
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith(suffix));
  for (const file of files) {
    const text = await readFile(path.join(root, file), 'utf8');
    const base = path.relative(path.dirname(file), 'apimachinery').replaceAll('\\', '/');
    const changed = text.replaceAll(
      importPattern,
      (_, module) => `${base.startsWith('.') ? base : `./${base}`}/${module}${importedAs}`,
    );
    if (changed !== text) await writeFile(path.join(root, file), changed);
    for (const [, module] of changed.matchAll(pointed)) used.add(module);
  }
  // A set grows while it is iterated: what a copy imports is copied too.
  for (const module of used) {
    const text = await readFile(path.join(source, `${module}${suffix}`), 'utf8');
    for (const [, specifier] of text.matchAll(imported))
      used.add(path.posix.join(path.posix.dirname(module), specifier));
    await outputFile(path.join(root, 'apimachinery', `${module}${suffix}`), text);
  }
}
