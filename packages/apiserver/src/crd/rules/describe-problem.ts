import type { RuleProblem } from 'ots-cel';

/**
 * Describes an error in an expression, with its position in the text below, like a compiler.
 *
 * @param text the expression
 */
export function describeProblem(
  { message, code, start = 0 }: Pick<RuleProblem, 'message' | 'code' | 'start'>,
  text: string,
): string {
  const kind = code === 'syntax' ? 'Syntax error: ' : '';
  const lines = text.slice(0, start).split('\n');
  const column = lines.at(-1)?.length ?? 0;
  const line = text.split('\n')[lines.length - 1] ?? '';
  return `ERROR: <input>:${lines.length}:${column + 1}: ${kind}${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}
