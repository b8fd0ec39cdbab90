import { readFileSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { relink } from './relink.ts';

/** The libraries that are packed into a scaffolded project, besides ots itself. */
export const vendoredLibraries = ['ots-kubernetes', 'ots-runtime', 'ots-apiserver', 'ots-testing'] as const;

interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly scripts?: unknown;
  readonly devDependencies?: unknown;
  readonly workspaces?: unknown;
}

/** What npm packs besides what `files` lists. */
const manifestName = 'package.json';
const alwaysPacked = [manifestName, 'README.md', 'LICENSE'];

/**
 * Packs a package as `npm pack` does, but without an archive of the same package in its dist/vendor/. The
 * same content gives the same bytes, so a project's lock file changes only when a package changes.
 *
 * @param directory URL of the package, ending in a slash
 * @returns name and gzipped content of the tarball
 */
export function packPackage(directory: URL): { file: string; content: Buffer } {
  const root = fileURLToPath(directory);
  const manifest = JSON.parse(readFileSync(`${root}${manifestName}`, 'utf8')) as PackageManifest;
  const { name, version, files } = manifest;
  const file = `${name}-${version}.tgz`;
  const listed = files.filter((path) => !path.startsWith('!'));
  const excluded = new Set([...files.map((path) => path.slice('!'.length)), `dist/vendor/${file}`]);
  const paths = [...alwaysPacked, ...listed]
    .flatMap((path) => filesBelow(root, path))
    .filter((path) => !excluded.has(path))
    .toSorted();
  const tar = createTar(
    paths.map((path) => ({
      name: `package/${path}`,
      data: path === manifestName ? manifestFor(manifest) : contentOf(`${root}${path}`),
    })),
    { attrs: { mtime: 0, uid: 0, gid: 0, mode: '644' } },
  );
  return { file, content: gzipSync(tar, { level: 9 }) };
}

function contentOf(file: string): string | Buffer {
  return file.endsWith('.md') ? relink(readFileSync(file, 'utf8'), file) : readFileSync(file);
}

/** Removes what only contributors use. npm warns users about packages with scripts. */
function manifestFor(manifest: PackageManifest): string {
  const { scripts: _, devDependencies: __, workspaces: ___, ...published } = manifest;
  return `${JSON.stringify(published, undefined, 2)}\n`;
}

function filesBelow(root: string, path: string): string[] {
  const stats = statSync(`${root}${path}`, { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isFile()) return [path];
  return readdirSync(`${root}${path}`).flatMap((name) => filesBelow(root, `${path}/${name}`));
}
