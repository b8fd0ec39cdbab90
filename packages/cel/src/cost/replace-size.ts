import { add, type Estimate, maxUint64, multiply } from './estimate.ts';

/**
 * The size of `text.replace(old, new)`: the maximum if the shortest `old` is replaced by the longest `new` as
 * often as possible, the minimum in the opposite case.
 */
export function replaceSize(text: Estimate, old: Estimate, replacement: Estimate): Estimate {
  const most = extreme(text.max, old.min, replacement.max <= old.min);
  const least = extreme(text.min, old.max, old.max <= replacement.min);
  const count = { min: least.count, max: most.count };
  return add(multiply(count, replacement), { min: least.kept, max: most.kept });
}

/**
 * How often a replacement occurs, and how much of the text stays. Replacing the empty text puts the new one
 * between all characters.
 */
function extreme(
  length: bigint,
  old: bigint,
  keepsLength: boolean,
): { readonly count: bigint; readonly kept: bigint } {
  if (old === 0n) return { count: length < maxUint64 ? length + 1n : length, kept: length };
  if (keepsLength) return { count: 0n, kept: length };
  return { count: BigInt.asUintN(64, BigInt(Math.ceil(Number(length) / Number(old)))), kept: 0n };
}
