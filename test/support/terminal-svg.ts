import type { IBufferCell, Terminal } from '@xterm/headless';
import type { TerminalScreen } from './terminal-screen.ts';

/** Bright on dark, with a contrast of at least 7:1 (https://www.w3.org/TR/WCAG22/#contrast-enhanced). */
const colors = {
  background: '#0d1117',
  frame: '#30363d',
  text: '#e6edf3',
  dim: '#9aa4af',
  /** By number, as terminals count them. */
  palette: ['#9aa4af', '#ff938a', '#7ee787', '#e3b341', '#9ecbff', '#e2b5ff', '#76e3ea', '#e6edf3'],
};
const cell = { width: 8.4, height: 18, baseline: 13 };
const margin = 16;
const font = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Characters in adjacent cells that look the same. */
interface Run {
  readonly column: number;
  readonly width: number;
  readonly text: string;
  readonly style: string;
}

/**
 * Draws what a terminal shows, for the documentation.
 *
 * @param title for readers who do not see the picture
 * @returns SVG whose characters stay in their cells, whatever font the reader has
 */
export async function terminalSvg(screen: TerminalScreen, title: string): Promise<string> {
  const terminal = await screen.settled();
  const width = Math.ceil(terminal.cols * cell.width) + 2 * margin;
  const height = terminal.rows * cell.height + 2 * margin;
  const lines = Array.from({ length: terminal.rows }, (_, row) => drawRow(runsOf(terminal, row), row));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escapeXml(title)}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${colors.background}" stroke="${colors.frame}"/>
<g font-family="${font}" font-size="14" fill="${colors.text}" xml:space="preserve">
${lines.filter((line) => line !== '').join('\n')}
</g>
</svg>
`;
}

function drawRow(runs: readonly Run[], row: number): string {
  if (runs.length === 0) return '';
  const spans = runs.map(({ column, width, text, style }) => {
    const x = round(margin + column * cell.width);
    const length = round(width * cell.width);
    return `<tspan x="${x}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${style}>${escapeXml(text)}</tspan>`;
  });
  return `<text y="${margin + row * cell.height + cell.baseline}">${spans.join('')}</text>`;
}

/** Two blanks end a run: what follows them has its own place. */
function runsOf({ buffer, cols }: Terminal, row: number): Run[] {
  const line = buffer.active.getLine(buffer.active.baseY + row);
  const runs: Run[] = [];
  for (let column = 0; column < cols; column++) {
    const current = line?.getCell(column);
    // The second half of a wide character has no width.
    if (!current || current.getWidth() === 0) continue;
    const text = current.getChars() || ' ';
    const style = styleOf(current);
    const last = runs.at(-1);
    const isBlank = text === ' ' && !current.isInverse();
    const isAdjacent = last !== undefined && last.column + last.width === column;
    if (isAdjacent && last.style === style && !(isBlank && last.text.endsWith(' '))) {
      runs[runs.length - 1] = {
        ...last,
        text: last.text + text,
        width: column + current.getWidth() - last.column,
      };
    } else if (!isBlank) runs.push({ column, width: current.getWidth(), text, style });
  }
  return runs.map((run) => {
    const text = run.text.trimEnd();
    return { ...run, text, width: run.width - (run.text.length - text.length) };
  });
}

function styleOf(current: IBufferCell): string {
  const color = current.isFgPalette() ? colors.palette[current.getFgColor() % 8] : undefined;
  const fill = current.isInverse() ? colors.palette[6] : current.isDim() ? colors.dim : color;
  return `${fill === undefined ? '' : ` fill="${fill}"`}${current.isBold() ? ' font-weight="bold"' : ''}`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function round(number: number): number {
  return Number(number.toFixed(2));
}
