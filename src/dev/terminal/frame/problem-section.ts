import type { ProblemState } from '../../model/dev-state.ts';
import { wrapText } from '../fit-line.ts';
import { type Line, span } from '../line.ts';
import { type Section, firstLines } from './section.ts';

/** The output of an operator that ended is longer. */
const maxMessageRows = 20;

/** What a person should fix: where, what is wrong and what to do. */
export function problemSection(problems: readonly ProblemState[], columns: number, rows: number): Section {
  const layout = { columns, indent: '  ' };
  const lines = problems.flatMap(({ location, message, hint }): Line[] => [
    ...(location === undefined ? [] : wrapText(location, { ...layout, style: 'bold' })),
    ...message
      .split('\n')
      .flatMap((line) => wrapText(line, { ...layout, style: 'red' }))
      .slice(0, maxMessageRows),
    ...(hint === undefined ? [] : wrapText(`→ ${hint}`, { ...layout, style: 'cyan' })),
  ]);
  const marked = lines.map((line, index): Line =>
    index === 0 ? [span('✗ ', 'red'), ...line.slice(1)] : line,
  );
  return {
    title: [span('PROBLEMS', 'bold')],
    wanted: marked.length,
    least: Math.ceil(rows / 2),
    draw: (share) => firstLines(marked, share),
  };
}
