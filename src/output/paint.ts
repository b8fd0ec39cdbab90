import { styleText } from 'node:util';
import type { Context } from '../context.ts';

type Style = Parameters<typeof styleText>[0];

/** Whether the output is a terminal with colors and NO_COLOR is not set. */
export function hasColors(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY && stream.getColorDepth(env) > 1;
}

/** Colors a text if the output has colors. */
export function paint(context: Context, output: 'stdout' | 'stderr', style: Style, text: string): string {
  return hasColors(context[output], context.env) ? styleText(style, text, { validateStream: false }) : text;
}

/** Colors the lines of a unified diff for stdout. */
export function paintDiff(context: Context, diff: string): string {
  const lines = diff.split('\n').map((line) => {
    if (line.startsWith('+')) return paint(context, 'stdout', 'green', line);
    return line.startsWith('-') ? paint(context, 'stdout', 'red', line) : line;
  });
  return lines.join('\n');
}
