import { posix } from 'node:path';
import type { ReadableFileSystem } from './file-system.ts';
import { Tree } from './tree.ts';

const root = '/';

/**
 * A tree over files in memory, for scaffolds that are compared and not written.
 *
 * @param files contents by project-relative path
 */
export function memoryTree(files: ReadonlyMap<string, Buffer> = new Map()): Tree {
  return new Tree(root, { fs: memoryFileSystem(files) });
}

function memoryFileSystem(files: ReadonlyMap<string, Buffer>): ReadableFileSystem {
  const entries = new Map<string, Set<string>>([[root, new Set()]]);
  for (const file of files.keys()) {
    for (let path = root + file; path !== root; path = posix.dirname(path)) {
      const parent = posix.dirname(path);
      if (!entries.has(parent)) entries.set(parent, new Set());
      entries.get(parent)!.add(posix.basename(path));
    }
  }
  const content = (path: string): Buffer | undefined => files.get(keyOf(path).slice(root.length));
  return {
    read: content,
    kind: (path) => (content(path) ? 'file' : entries.has(keyOf(path)) ? 'directory' : undefined),
    mode: () => undefined,
    realPath: (path) => path,
    list: (path) => [...(entries.get(keyOf(path)) ?? [])].toSorted(),
  };
}

/** The tree joins paths to its root with a separator. */
function keyOf(path: string): string {
  return posix.normalize(path.replaceAll('\\', '/'));
}
