import type { Tree } from '../../scaffold/tree.ts';
import { mendImports } from './mend-imports.ts';

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
    if (target === path && !path.endsWith('.ts')) continue;
    const content = tree.readBytes(path) as Buffer;
    const moved = path.endsWith('.ts') ? mendImports(content.toString('utf8'), path, target, moves) : content;
    if (target !== path) {
      tree.create(target, moved);
      tree.remove(path);
    } else if (!content.equals(Buffer.from(moved))) {
      tree.edit(path, () => moved as string);
    }
  }
}
