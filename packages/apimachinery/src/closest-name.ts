/**
 * Finds the candidate that a misspelled name most likely means.
 *
 * @param candidates names that could have been meant; of several that are as near, the first
 * @returns the nearest candidate, ignoring case, when at most a third of its letters differ and at most two; otherwise undefined
 */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const limit = Math.min(2, Math.floor(Math.min(candidate.length, wanted.length) / 3));
    if (Math.abs(candidate.length - wanted.length) > limit) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance <= limit && distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/**
 * Counts the insertions, deletions, replacements and swaps of neighbors that make one text of another (optimal string alignment).
 *
 * @param limit the largest distance of interest. With it the time is proportional to the lengths, not to their product.
 * @returns the distance, or any larger number than the limit when the distance is larger
 */
export function editDistance(a: string, b: string, limit = Infinity): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: Math.min(b.length, limit) + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = i <= limit ? [i] : [];
    const end = Math.min(b.length, i + limit);
    for (let j = Math.max(1, i - limit); j <= end; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row[j] = cost;
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

/** Distances outside of the limit count as infinite. */
function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
