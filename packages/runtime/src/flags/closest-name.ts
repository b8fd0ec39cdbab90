/** The name that was probably meant by one with a slip or two in it; undefined when none is close. */
export function closestName(written: string, names: readonly string[]): string | undefined {
  const [closest] = names
    .map((name) => ({ name, distance: editDistance(written, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return closest?.name;
}

/** How many letters to insert, delete or replace (Levenshtein). */
function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 0; row < from.length; row += 1) {
    const here = [row + 1];
    for (let column = 0; column < to.length; column += 1) {
      const replaced = above[column]! + (to[column] === from[row] ? 0 : 1);
      here.push(Math.min(replaced, above[column + 1]! + 1, here[column]! + 1));
    }
    above = here;
  }
  return above[to.length]!;
}
