import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the build reads: bundles and archives in dist/ are made of these. */
const inputs = [
  'bin',
  'src',
  'templates',
  'docs/check.md',
  'docs/manifests.md',
  'docs/manifests-differences.md',
  'docs/runtime',
  'README.md',
  'package.json',
  ...readdirSync(join(root, 'packages')).flatMap((name) =>
    ['src', 'README.md', 'package.json'].map((path) => `packages/${name}/${path}`),
  ),
];

/**
 * Refuses to test an old build: the bin and the archives that `ots init` copies are what `npm run build` made of the
 * sources.
 *
 * @throws Error that names a file changed since the last build
 */
export function assertFreshBuild(): void {
  const archives = join(root, 'dist/vendor');
  const built = Math.min(...readdirSync(archives).map((file) => statSync(join(archives, file)).mtimeMs));
  const changed = inputs.flatMap(filesAt).find((path) => statSync(join(root, path)).mtimeMs > built);
  if (changed !== undefined) throw new Error(`${changed} changed after the last build; run npm run build`);
}

/** The file, or the files below a directory, but for tests. */
function filesAt(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
}
