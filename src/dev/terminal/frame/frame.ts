import type { DevState } from '../../model/dev-state.ts';
import { fitLine, joinParts, widthOfLine, wrapText } from '../fit-line.ts';
import { type Line, type Span, span } from '../line.ts';
import { eventSection } from './event-section.ts';
import { header } from './header.ts';
import { objectSection } from './object-section.ts';
import { problemSection } from './problem-section.ts';
import { reconcileSection } from './reconcile-section.ts';
import { type Section, firstLines, stackSections } from './section.ts';

/** What a frame shows beside the state. */
export interface View {
  readonly columns: number;
  /** Infinity for a frame that is printed once. */
  readonly rows: number;
  /** The time of this machine. */
  readonly now: Date;
  readonly pageUrl: string | undefined;
  /** What the keys do, most important first; none where keys are not read. */
  readonly keys: readonly { readonly key: string; readonly short: string; readonly text: string }[];
  /** The answer to the last key. */
  readonly notice?: { readonly text: string; readonly isError: boolean };
  /** Whether the meaning of the keys is in place of the state. */
  readonly isHelp: boolean;
  /** What to choose from in place of the state. */
  readonly choice?: Choice;
}

interface Choice {
  readonly title: string;
  readonly entries: readonly { readonly text: string; readonly note: string }[];
  readonly selected: number;
}

const minRowsForTwoHeaders = 12;

/** Draws a state: at most `rows` lines of at most `columns` columns. */
export function frame(state: DevState, view: View): Line[] {
  const { columns, rows, pageUrl } = view;
  const head = header(state, pageUrl, { columns, rows: rows < minRowsForTwoHeaders ? 1 : 2 });
  const foot = footer(view);
  const gap: Line[] = rows < minRowsForTwoHeaders ? [] : [[]];
  const left = Math.max(0, rows - head.length - gap.length - foot.length);
  return [...head, ...gap, ...body(state, view, left), ...foot].slice(0, Math.max(1, rows));
}

function body(state: DevState, view: View, rows: number): Line[] {
  if (view.isHelp) return filled(drawHelp(view), rows);
  if (view.choice) return filled(drawChoice(view.choice, view.columns, rows), rows);
  const { columns, now } = view;
  const clusterTime = new Date(now.getTime() + state.cluster.ahead * 1000);
  const sections: (Section | undefined)[] = [
    state.problems.length === 0 ? undefined : problemSection(state.problems, columns, rows),
    objectSection(state.objects, columns, clusterTime),
    reconcileSection(state, columns, now),
    eventSection(state, columns),
  ];
  return stackSections(
    sections.filter((section) => section !== undefined),
    rows,
  );
}

function filled(lines: readonly Line[], rows: number): Line[] {
  return Array.from({ length: rows === Infinity ? lines.length : rows }, (_, index) => lines[index] ?? []);
}

function drawHelp({ keys, columns }: View): Line[] {
  return [
    [span('KEYS', 'bold')],
    ...keys.flatMap(({ key, text }) => {
      const [first = [], ...others] = wrapText(text, { columns, indent: ' '.repeat(8) });
      return [[span(key.padStart(6), 'cyan'), span('  '), ...first.slice(1)], ...others];
    }),
  ];
}

/** The rows around the one that is selected. */
function drawChoice({ title, entries, selected }: Choice, columns: number, rows: number): Line[] {
  const titles = wrapText(title, { columns, style: 'bold' });
  const room = Math.max(1, rows - titles.length);
  const first = Math.max(0, Math.min(selected - Math.floor(room / 2), entries.length - room));
  const lines = entries.map(({ text, note }, index): Line => {
    const number = index < 9 ? `${index + 1}` : ' ';
    const isSelected = index === selected;
    return fitLine(
      [
        span(isSelected ? '❯ ' : '  ', 'cyan'),
        span(`${number} `, 'dim'),
        isSelected ? span(text, 'inverse') : span(text),
        span(note === '' ? '' : `  ${note}`, 'yellow'),
      ],
      columns,
    );
  });
  return [...titles, ...firstLines(lines.slice(first), room)];
}

function footer({ columns, rows, keys, notice }: View): Line[] {
  const answer = notice
    ? wrapText(notice.text, {
        columns,
        style: notice.isError ? 'red' : 'yellow',
        maxLines: Math.max(1, Math.floor(rows / 3)),
      })
    : [];
  return keys.length === 0 ? answer : [...answer, keyLine(keys, columns)];
}

/** As many keys as fit, in their order: the last two always do. */
function keyLine(keys: View['keys'], columns: number): Line {
  const parts = keys.map(({ key, short }): Span[] => [span(key, 'cyan'), span(` ${short}`, 'dim')]);
  const last = parts.slice(-2);
  let left = columns - widthOfLine(joinParts(last, columns));
  const shown = parts.slice(0, -2).filter((part) => {
    left -= widthOfLine(part) + 2;
    return left >= 0;
  });
  return joinParts([...shown, ...last], columns);
}
