import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Everything below a directory: files with mode and content, links, empty directories. */
export function snapshot(directory: string): Record<string, string> {
  const found: Record<string, string> = {};
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(directory.length + 1);
    if (entry.isDirectory()) found[`${name}/`] = 'directory';
    else if (entry.isSymbolicLink()) found[name] = 'link';
    else found[name] = `${lstatSync(path).mode.toString(8)} ${readFileSync(path, 'latin1')}`;
  }
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
