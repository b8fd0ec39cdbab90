import { styleText } from 'node:util';
import type { Context } from '../context.ts';

type Style = Parameters<typeof styleText>[0];

/** Colors a text if the output is a terminal with colors and NO_COLOR is not set. */
export function paint(context: Context, output: 'stdout' | 'stderr', style: Style, text: string): string {
  const stream = context[output];
  const hasColors = stream.isTTY && stream.getColorDepth(context.env) > 1;
  return hasColors ? styleText(style, text, { validateStream: false }) : text;
}
