import type { Tree } from '../../scaffold/tree.ts';
import { HEADER_FILE, headerOf } from './header.ts';

/** Gives a project another header: in its file, and at the top of every source file that has the old one. */
export function replaceHeader(tree: Tree, header: string): void {
  const before = headerOf(tree);
  if (header === '') tree.remove(HEADER_FILE);
  else tree.generate(HEADER_FILE, header);
  const after = headerOf(tree);
  const sources = ['src', 'test']
    .flatMap((directory) => tree.list(directory))
    .filter((path) => path.endsWith('.ts'));
  for (const path of [...sources, 'vitest.config.ts']) {
    const text = tree.read(path);
    if (text === undefined) continue;
    const [unix, windows] = [before, before.replaceAll('\n', '\r\n')];
    if (before === '' && text.startsWith('/')) continue; // It has a header of its own.
    if (text.startsWith(unix)) tree.edit(path, () => after + text.slice(unix.length));
    else if (text.startsWith(windows))
      tree.edit(path, () => after.replaceAll('\n', '\r\n') + text.slice(windows.length));
  }
}
