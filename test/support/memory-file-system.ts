import { posix } from 'node:path';
import type { FileSystem } from '../../src/scaffold/file-system.ts';

/** A file system that is a map of texts: fast, and its whole content can be compared. Directories end in `/`. */
export interface MemoryFileSystem extends FileSystem {
  /** Everything that is there, by absolute path. */
  content(): Record<string, string>;
}

const failure = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code, syscall: 'test' });

/** @param files what is there at first, by absolute path, as {@link MemoryFileSystem.content} gives it */
export function memoryFileSystem(files: Readonly<Record<string, string>> = {}): MemoryFileSystem {
  const nodes = new Map<string, Buffer | 'directory'>([['/', 'directory']]);
  for (const [path, text] of Object.entries(files)) {
    if (path.endsWith('/')) nodes.set(path === '/' ? path : path.slice(0, -1), 'directory');
    else nodes.set(path, Buffer.from(text, 'latin1'));
  }
  const below = (path: string): string[] => {
    const prefix = path === '/' ? '/' : `${path}/`;
    return [...nodes.keys()].filter((name) => name !== path && name.startsWith(prefix));
  };
  const needParent = (path: string): void => {
    if (nodes.get(posix.dirname(path)) !== 'directory') throw failure('ENOENT', path);
  };
  return {
    content() {
      const found: Record<string, string> = {};
      for (const [path, node] of [...nodes].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        if (node === 'directory') found[path === '/' ? path : `${path}/`] = '';
        else found[path] = node.toString('latin1');
      }
      return found;
    },
    read(path) {
      const node = nodes.get(path);
      if (node === 'directory') throw failure('EISDIR', path);
      return node;
    },
    kind(path) {
      const node = nodes.get(path);
      return node === 'directory' ? node : node && 'file';
    },
    mode: (path) => (nodes.has(path) ? 0o644 : undefined),
    realPath(path) {
      if (!nodes.has(path)) throw failure('ENOENT', path);
      return path;
    },
    list: (path) =>
      below(path)
        .filter((name) => posix.dirname(name) === path)
        .map((name) => posix.basename(name))
        .toSorted(),
    write(path, content) {
      needParent(path);
      if (nodes.get(path) === 'directory') throw failure('EISDIR', path);
      nodes.set(path, Buffer.from(content));
    },
    makeDirectory(path) {
      needParent(path);
      if (nodes.has(path)) throw failure('EEXIST', path);
      nodes.set(path, 'directory');
    },
    rename(from, to) {
      const moved = nodes.get(from);
      if (moved === undefined) throw failure('ENOENT', from);
      needParent(to);
      if (nodes.get(to) === 'directory' && below(to).length > 0) throw failure('ENOTEMPTY', to);
      for (const name of below(from)) {
        nodes.set(`${to}${name.slice(from.length)}`, nodes.get(name) as Buffer);
        nodes.delete(name);
      }
      nodes.delete(from);
      nodes.set(to, moved);
    },
    removeFile: (path) => void nodes.delete(path),
    removeDirectory(path) {
      if (below(path).length > 0) throw failure('ENOTEMPTY', path);
      nodes.delete(path);
    },
  };
}
