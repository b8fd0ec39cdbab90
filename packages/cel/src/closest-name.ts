/**
 * Finds the candidate that a misspelt name most likely means.
 * @param name what was written
 * @param candidates what could have been meant
 * @returns the nearest one, ignoring case, when at most a third of its letters differ; otherwise undefined
 */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const limit = Math.min(2, Math.floor(Math.min(candidate.length, name.length) / 3));
    const distance = distanceUpTo(limit, name.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** How many letters must be put in, left out, replaced or swapped with the next; Infinity for more than the limit. */
function distanceUpTo(limit: number, a: string, b: string): number {
  if (a === b) return 0;
  if (limit === 0 || Math.abs(a.length - b.length) > limit) return Infinity;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start + 1), b.slice(start + 1)];
  const swapped = a[start] === b[start + 1] && a[start + 1] === b[start];
  return (
    1 +
    Math.min(
      distanceUpTo(limit - 1, a.slice(start), restB),
      distanceUpTo(limit - 1, restA, b.slice(start)),
      distanceUpTo(limit - 1, restA, restB),
      swapped ? distanceUpTo(limit - 1, restA.slice(1), restB.slice(1)) : Infinity,
    )
  );
}
