import type { Tree } from '../../scaffold/tree.ts';

/** What the scaffolded `.oxfmtrc.json` says. */
const STYLE = { singleQuote: true, printWidth: 100 } as const;

/**
 * Templates are formatted as they stand, except that a long name can push a line over the width. Such files, and only
 * they, go through the formatter of the project. A file that its author formats otherwise stays as it is.
 */
export async function formatLongLines(tree: Tree): Promise<void> {
  for (const { path, after } of tree.changes()) {
    if (!path.endsWith('.ts') || !after || !hasLongLine(after.toString('utf8'))) continue;
    const { format } = await import('oxfmt');
    const formatted = async (content: Buffer): Promise<string> =>
      (await format(path, content.toString('utf8'), STYLE)).code;
    const before = tree.readOriginal(path);
    if (before && (await formatted(before)) !== before.toString('utf8')) continue;
    const code = await formatted(after);
    tree.edit(path, () => code);
  }
}

/** Comments are as long as they are: no formatter breaks them. */
function hasLongLine(text: string): boolean {
  return text.split('\n').some((line) => line.length > STYLE.printWidth && !/^\s*(\*|\/[/*])/.test(line));
}
