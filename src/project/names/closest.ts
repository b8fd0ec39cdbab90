/**
 * Finds the candidate that was probably meant.
 *
 * @returns the candidate with the smallest edit distance, case aside, when no more than a third of the word differs.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.slice(0, 100).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.floor(Math.max(typed.length, 3) / 3) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(typed, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein: how many letters have to be added, dropped or replaced. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replace = previous[j]! + (a[i] === b[j] ? 0 : 1);
      row.push(Math.min(previous[j + 1]! + 1, row[j]! + 1, replace));
    }
    previous = row;
  }
  return previous[b.length]!;
}
