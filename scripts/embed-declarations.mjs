import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputFile, remove } from 'fs-extra/esm';
import { rootDirectory } from './bundle.mjs';

const source = fileURLToPath(new URL('packages/apimachinery/dist/', rootDirectory));
const importPattern = /(?<=['"])ots-apimachinery\/([^'"]+)(?=['"])/g;
const relativeImport = /(?<=['"])(\.{1,2}\/[^'"]+)\.ts(?=['"])/g;

/**
 * Copies the declarations that a package uses of ots-apimachinery, which is not published, into the package, and points
 * the package's own declarations at the copies.
 *
 * @param dist URL of the package's declarations, ending in a slash
 */
export async function embedDeclarations(dist) {
  const root = fileURLToPath(dist);
  const copies = path.join(root, 'apimachinery');
  await remove(copies);
  const used = new Set();
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.d.ts'));
  for (const file of files) {
    const text = await readFile(path.join(root, file), 'utf8');
    const base = path.relative(path.dirname(file), 'apimachinery').replaceAll('\\', '/');
    const pointed = text.replaceAll(importPattern, (_, module) => {
      used.add(module);
      return `${base.startsWith('.') ? base : `./${base}`}/${module}.ts`;
    });
    if (pointed !== text) await writeFile(path.join(root, file), pointed);
    // Of an earlier build, which is not compiled again.
    for (const [, module] of text.matchAll(/['"](?:\.{1,2}\/)+apimachinery\/([^'"]+)\.ts['"]/g))
      used.add(module);
  }
  // A set grows while it is iterated: what a copy imports is copied too.
  for (const module of used) {
    const text = await readFile(path.join(source, `${module}.d.ts`), 'utf8');
    for (const [, imported] of text.matchAll(relativeImport)) {
      used.add(path.posix.join(path.posix.dirname(module), imported));
    }
    const target = path.join(copies, `${module}.d.ts`);
    await outputFile(target, text);
  }
}
