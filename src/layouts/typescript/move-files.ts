import { isUtf8 } from 'node:buffer';
import type { Tree } from '../../scaffold/tree.ts';
import { updateImports } from './update-imports.ts';

/** The folders whose TypeScript files may import moved files. */
const sources = ['src', 'test'];

/**
 * Moves files within a project and updates the relative imports in moved files and in files that import them.
 *
 * @param moves old path → new path
 */
export function moveFiles(tree: Tree, moves: ReadonlyMap<string, string>): void {
  for (const path of sources.flatMap((directory) => tree.list(directory))) {
    const target = moves.get(path) ?? path;
    const content = tree.readBytes(path) as Buffer;
    const updated = withUpdatedImports(content, path, target, moves);
    if (target !== path) tree.move(path, target, updated ?? content);
    else if (updated !== undefined) tree.edit(path, () => updated);
  }
}

/**
 * Returns the text with updated imports, or undefined if they stay, so the file stays the same byte for byte.
 */
function withUpdatedImports(
  content: Buffer,
  path: string,
  target: string,
  moves: ReadonlyMap<string, string>,
): string | undefined {
  if (!path.endsWith('.ts') || !isUtf8(content)) return undefined;
  const text = content.toString('utf8');
  const updated = updateImports(text, path, target, moves);
  return updated === text ? undefined : updated;
}
