import { lineEndingOf } from '../../scaffold/insertions/line-ending.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { headerFile, headerOf } from './header.ts';

/**
 * Changes the header of a project, in its own file and at the top of every source file that has the old one.
 */
export function replaceHeader(tree: Tree, header: string): void {
  const before = headerOf(tree);
  if (header === '') tree.remove(headerFile);
  else tree.generate(headerFile, header.replaceAll('\n', lineEndingOf(tree.read(headerFile) ?? '')));
  const after = headerOf(tree);
  const sources = ['src', 'test']
    .flatMap((directory) => tree.list(directory))
    .filter((path) => path.endsWith('.ts'));
  for (const path of [...sources, 'vitest.config.ts']) {
    const text = tree.read(path);
    if (text === undefined) continue;
    if (before === '' && text.startsWith('/')) continue; // It has its own header.
    const [old, replacement] = [before, after].map((part) => part.replaceAll('\n', lineEndingOf(text)));
    if (old !== undefined && text.startsWith(old))
      tree.edit(path, () => replacement + text.slice(old.length));
  }
}
