import type { Tree } from '../../scaffold/tree.ts';

/** What the scaffolded `.oxfmtrc.json` says. */
const style = { singleQuote: true, printWidth: 100 } as const;

/**
 * Templates are formatted as they stand, except that a long name can push a line over the width. Such files, and only
 * they, go through the formatter of the project. A file that its author formats otherwise stays as it is.
 */
export async function formatLongLines(tree: Tree): Promise<void> {
  for (const { path, after } of tree.changes()) {
    if (!path.endsWith('.ts') || !after || !hasLongLine(after.toString('utf8'))) continue;
    const text = after.toString('utf8');
    const code = await formatAs(path, tree.readOriginal(path)?.toString('utf8'), text);
    tree.edit(path, () => code);
  }
}

/**
 * Formats a text in the style of a project, unless it was made from one that is formatted otherwise.
 *
 * @param before what it was made from
 */
export async function formatAs(path: string, before: string | undefined, after: string): Promise<string> {
  const { format } = await import('oxfmt');
  const formatted = async (text: string): Promise<string> => (await format(path, text, style)).code;
  return before === undefined || (await formatted(before)) === before ? formatted(after) : after;
}

/** Comments are as long as they are: no formatter breaks them. */
function hasLongLine(text: string): boolean {
  return text.split('\n').some((line) => line.length > style.printWidth && !/^\s*(\*|\/[/*])/.test(line));
}
