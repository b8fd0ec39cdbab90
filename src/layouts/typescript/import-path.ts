import { posix } from 'node:path';

/** What a file writes in `import … from` to get at another file of the project. */
export function importPath(fromFile: string, toFile: string): string {
  const relative = posix.relative(posix.dirname(fromFile), toFile);
  return relative.startsWith('.') ? relative : `./${relative}`;
}
