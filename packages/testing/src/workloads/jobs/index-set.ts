/**
 * Reads completion indexes as the status of a job has them, such as `0,2-4`.
 *
 * @param completions indexes from this one on are left out
 */
export function parseIndexes(text: string | undefined, completions: number): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const interval of (text ?? '').split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(interval);
    if (!match) continue;
    const first = Number(match[1]);
    const last = Math.min(Number(match[2] ?? first), completions - 1);
    for (let index = first; index <= last; index++) indexes.add(index);
  }
  return indexes;
}

/** Writes completion indexes: three or more that follow each other become an interval. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const intervals: { first: number; last: number }[] = [];
  for (const index of [...indexes].toSorted((a, b) => a - b)) {
    const interval = intervals.at(-1);
    if (interval?.last === index - 1) interval.last = index;
    else intervals.push({ first: index, last: index });
  }
  return intervals
    .map(({ first, last }) => {
      if (first === last) return `${first}`;
      return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
    })
    .join(',');
}
