import { isUtf8 } from 'node:buffer';
import type { Tree } from '../../scaffold/tree.ts';
import { mendImports } from './update-imports.ts';

/** The folders whose TypeScript files may import what moves. */
const SOURCES = ['src', 'test'];

/**
 * Moves files within a project and mends the relative imports of all files that name them, or that moved.
 *
 * @param moves old path → new path
 */
export function moveFiles(tree: Tree, moves: ReadonlyMap<string, string>): void {
  for (const path of SOURCES.flatMap((directory) => tree.list(directory))) {
    const target = moves.get(path) ?? path;
    const content = tree.readBytes(path) as Buffer;
    const mended = mend(content, path, target, moves);
    if (target !== path) tree.move(path, target, mended ?? content);
    else if (mended !== undefined) tree.edit(path, () => mended);
  }
}

/** The text with other imports; undefined when they stay, so that not a byte of the file changes. */
function mend(
  content: Buffer,
  path: string,
  target: string,
  moves: ReadonlyMap<string, string>,
): string | undefined {
  if (!path.endsWith('.ts') || !isUtf8(content)) return undefined;
  const text = content.toString('utf8');
  const mended = mendImports(text, path, target, moves);
  return mended === text ? undefined : mended;
}
