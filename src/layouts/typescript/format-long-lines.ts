import type { Tree } from '../../scaffold/tree.ts';

/** The settings of the scaffolded `.oxfmtrc.json`. */
const style = { singleQuote: true, printWidth: 100 } as const;

/**
 * Formats the staged files in which a long name makes a line too wide. Templates are formatted as they are,
 * so other files do not need it. Files that their author formats differently stay as they are.
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
 * Formats a text in the style of a project, unless it was made from a text with different formatting.
 *
 * @param before the text that it was made from
 */
export async function formatAs(path: string, before: string | undefined, after: string): Promise<string> {
  const { format } = await import('oxfmt');
  const formatted = async (text: string): Promise<string> => (await format(path, text, style)).code;
  return before === undefined || (await formatted(before)) === before ? formatted(after) : after;
}

/** Ignores comments, which no formatter breaks. */
function hasLongLine(text: string): boolean {
  return text.split('\n').some((line) => line.length > style.printWidth && !/^\s*(\*|\/[/*])/.test(line));
}
