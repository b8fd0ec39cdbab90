import { type Line, span } from '../line.ts';

/** A part of a frame below a title. */
export interface Section {
  readonly title: Line;
  /** How many rows it would fill. */
  readonly wanted: number;
  /** How many rows it gets before sections that follow get any. */
  readonly least: number;
  /** Draws itself into some rows, at most as many as it wants. */
  readonly draw: (rows: number) => readonly Line[];
}

/** Below this, titles cost more than they are worth. */
const minRowsForTitles = 14;

/**
 * Stacks sections into rows. Each gets its least in order; then all grow at the same pace. What is left separates them.
 *
 * @returns exactly `rows` lines, or as many as the sections want if there is no limit
 */
export function stackSections(sections: readonly Section[], rows: number): Line[] {
  const hasTitles = rows >= minRowsForTitles;
  const { drawn, left } = drawAll(sections, rows - (hasTitles ? sections.length : 0));
  const areSeparated = hasTitles && left >= sections.length - 1;
  const lines = sections.flatMap(({ title }, index): Line[] => [
    ...(areSeparated && index > 0 ? [[]] : []),
    ...(hasTitles ? [title] : []),
    ...drawn[index]!,
  ]);
  if (rows === Infinity) return lines;
  return [...lines, ...Array.from({ length: Math.max(0, rows - lines.length) }, (): Line => [])];
}

/** A section that leaves rows empty, because less detail fits better, gives them to the others. */
function drawAll(sections: readonly Section[], rows: number): { drawn: (readonly Line[])[]; left: number } {
  const { shares, left } = share(sections, rows);
  const drawn = sections.map(({ draw }, index) => draw(shares[index]!).slice(0, shares[index]));
  const modest = sections.findIndex((_, index) => drawn[index]!.length < shares[index]!);
  if (modest === -1) return { drawn, left };
  const wanted = drawn[modest]!.length;
  return drawAll(
    sections.map((section, index) => (index === modest ? { ...section, wanted } : section)),
    rows,
  );
}

function share(sections: readonly Section[], rows: number): { shares: number[]; left: number } {
  if (rows === Infinity) return { shares: sections.map(({ wanted }) => wanted), left: Infinity };
  let left = Math.max(0, rows);
  const shares = sections.map(({ wanted, least }) => {
    const first = Math.min(wanted, least, left);
    left -= first;
    return first;
  });
  const wantsMore = (index: number): boolean => shares[index]! < sections[index]!.wanted;
  while (left > 0 && sections.some((_, index) => wantsMore(index))) {
    for (const index of sections.keys()) {
      if (left === 0 || !wantsMore(index)) continue;
      shares[index]!++;
      left--;
    }
  }
  return { shares, left };
}

/** The first of some lines; the last row says how many follow. */
export function firstLines(lines: readonly Line[], rows: number): readonly Line[] {
  if (lines.length <= rows || rows === 0) return lines.slice(0, rows);
  return [...lines.slice(0, rows - 1), [span(`… ${lines.length - rows + 1} more`, 'dim')]];
}
