/** A line of a diff: removed, added, or in both. */
export interface DiffLine {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** Beyond it, all old lines come before all new ones: the exact diff takes time that grows with the product. */
const maxComparisons = 40_000;

/**
 * A shortest diff between two values as indented JSON.
 *
 * @param before undefined if it was absent
 * @param after undefined if it is absent
 */
export function diffLines(before: unknown, after: unknown): DiffLine[] {
  const [old, young] = [linesOf(before), linesOf(after)];
  if (old.length * young.length > maxComparisons) return [...sign('-', old), ...sign('+', young)];
  const shared = sharedLengths(old, young);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < young.length) {
    if (i < old.length && old[i] === young[j]) {
      lines.push({ sign: ' ', text: old[i]! });
      i += 1;
      j += 1;
    } else if (j === young.length || (i < old.length && shared[i + 1]![j]! >= shared[i]![j + 1]!)) {
      lines.push({ sign: '-', text: old[i]! });
      i += 1;
    } else {
      lines.push({ sign: '+', text: young[j]! });
      j += 1;
    }
  }
  return lines;
}

/** At [i][j]: how many lines the rests of both have in common, in order. */
function sharedLengths(old: readonly string[], young: readonly string[]): number[][] {
  const table = Array.from({ length: old.length + 1 }, () => Array<number>(young.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = young.length - 1; j >= 0; j--) {
      table[i]![j] =
        old[i] === young[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
    }
  }
  return table;
}

function linesOf(value: unknown): string[] {
  if (value === undefined) return [];
  return (typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)).split('\n');
}

function sign(of: '-' | '+', lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ sign: of, text }));
}
