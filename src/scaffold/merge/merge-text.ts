import { diff3Merge } from 'node-diff3';
import { lineEndingOf } from '../insertions/line-ending.ts';

/** The two sides of a merge as conflict markers name them. */
export interface MergeLabels {
  readonly ours: string;
  readonly theirs: string;
}

export interface MergedText {
  /** With the line endings of `ours`, and with conflict markers as git writes them. */
  readonly text: string;
  readonly conflicts: number;
}

/**
 * Merges two changes of a text, line by line.
 *
 * @param base what both sides began with
 * @param ours the text of the author
 */
export function mergeText(base: string, ours: string, theirs: string, labels: MergeLabels): MergedText {
  const eol = lineEndingOf(ours);
  let conflicts = 0;
  const merged = diff3Merge(lines(ours), lines(base), lines(theirs), { excludeFalseConflicts: true });
  const result = merged.flatMap(({ ok = [], conflict }) => {
    if (!conflict) return ok;
    conflicts += 1;
    const { a, b } = conflict;
    return markedLines(a, b, labels);
  });
  return { text: result.join(eol), conflicts };
}

/** Two texts that have nothing to do with each other, as one conflict. */
export function markConflict(ours: string, theirs: string, labels: MergeLabels): MergedText {
  const [a, b] = [ours, theirs].map((text) => lines(text.replace(/\r?\n$/, '')));
  return { text: [...markedLines(a!, b!, labels), ''].join(lineEndingOf(ours)), conflicts: 1 };
}

function markedLines(ours: readonly string[], theirs: readonly string[], labels: MergeLabels): string[] {
  return [`<<<<<<< ${labels.ours}`, ...ours, '=======', ...theirs, `>>>>>>> ${labels.theirs}`];
}

function lines(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}
