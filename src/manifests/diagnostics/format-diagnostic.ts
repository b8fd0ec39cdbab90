import type { Diagnostic } from './diagnostic.ts';

/** The maximum length of the source excerpt. Generated or minified lines would hide the message. */
const window = 160;

/**
 * Renders an error for a terminal: `file:line:column: message`, the source line with a caret below it, and
 * the hint. Shows control characters of the source as `\u{fffd}`, so a file cannot control the reader's
 * terminal.
 * @returns several lines without a trailing newline
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, message, hint, sourceLine } = diagnostic;
  const from = sourceLine.length <= window ? 0 : Math.max(0, column - 1 - window / 2);
  const shown = sourceLine.slice(from, from + window);
  const before = shown.slice(0, column - 1 - from);
  const carets = '^'.repeat(Math.max(1, Math.min(diagnostic.length, shown.length - before.length)));
  const gutter = String(line);
  const lines = [
    `${file}:${line}:${column}: ${message}`,
    `  ${gutter} | ${shown}`,
    `  ${' '.repeat(gutter.length)} | ${before.replaceAll(/[^\t]/g, ' ')}${carets}`,
  ];
  if (hint !== undefined) lines.push(`  hint: ${hint}`);
  return lines.map(printable).join('\n');
}

function printable(text: string): string {
  // Control characters, and format characters that reorder or hide text.
  return text.replaceAll(/[^\t\P{C}]/gu, '\u{fffd}');
}
