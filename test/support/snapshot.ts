import { lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Content by path, relative to a directory and in order; paths of directories end in a slash. */
export type Snapshot = Readonly<Record<string, string>>;

/**
 * Everything below a directory: files with mode and content, links, empty directories.
 *
 * @param show what to show of a file, given its absolute path and its path in the directory
 */
export function snapshot(
  directory: string,
  show: (path: string, name: string) => string = modeAndContent,
): Record<string, string> {
  const found: Record<string, string> = {};
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(directory.length + 1);
    if (entry.isDirectory()) found[`${name}/`] = 'directory';
    else if (entry.isSymbolicLink()) found[name] = 'link';
    else found[name] = show(path, name);
  }
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a snapshot shows of a file. */
export function modeAndContent(path: string): string {
  return `${lstatSync(path).mode.toString(8)} ${readFileSync(path, 'latin1')}`;
}

/** Puts a directory back as it was when the snapshot, one without links, was taken. */
export function restore(directory: string, before: Snapshot): void {
  const now = snapshot(directory, (path, name) => (name in before ? modeAndContent(path) : 'new'));
  for (const path of Object.keys(now)) {
    if (now[path] !== before[path]) rmSync(join(directory, path), { recursive: true, force: true });
  }
  for (const [path, entry] of Object.entries(before)) {
    if (now[path] === entry) continue;
    const [mode = '', content = ''] = entry.split(/ (.*)/s);
    if (path.endsWith('/')) mkdirSync(join(directory, path));
    else
      writeFileSync(join(directory, path), content, {
        encoding: 'latin1',
        mode: Number.parseInt(mode, 8) & 0o777,
      });
  }
}
