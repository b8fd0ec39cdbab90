import { posix } from 'node:path';

/** Returns the specifier with which a file imports another file of the project. */
export function importPath(fromFile: string, toFile: string): string {
  const relative = posix.relative(posix.dirname(fromFile), toFile);
  return relative.startsWith('.') ? relative : `./${relative}`;
}
