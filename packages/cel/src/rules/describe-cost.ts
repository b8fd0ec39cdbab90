import type { Unbounded } from '../cost/schema-size.ts';

/** The cost in multiples of the budget: `3.2 times`. */
export function timesOver(cost: bigint, budget: bigint): string {
  const factor = Number(cost) / Number(budget);
  if (factor >= 100) return 'more than 100 times';
  return `${factor < 1.5 ? factor.toPrecision(4) : factor.toFixed(1)} times`;
}

/** Which bounds would make a rule cheaper. */
export function boundsHint(unbounded: readonly Unbounded[]): string {
  const unique = [...new Map(unbounded.map((one) => [one.path, one])).values()].toSorted(byEffect);
  if (unique.length === 0)
    return 'lower the bounds of the lists, maps and strings that it reads, or simplify it';
  const shown = unique.slice(0, 4).map(({ path, keyword }) => `${keyword} to ${path}`);
  const more = unique.length > shown.length ? ', …' : '';
  return `add ${shown.join(', ')}${more}; or simplify it`;
}

/** Lists and maps multiply their content: they come first, outer before inner ones. */
function byEffect(a: Unbounded, b: Unbounded): number {
  return (
    Number(a.keyword === 'maxLength') - Number(b.keyword === 'maxLength') || a.path.length - b.path.length
  );
}
