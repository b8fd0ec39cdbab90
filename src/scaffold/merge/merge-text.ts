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
    return [`<<<<<<< ${labels.ours}`, ...a, '=======', ...b, `>>>>>>> ${labels.theirs}`];
  });
  return { text: result.join(eol), conflicts };
}

function lines(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}
