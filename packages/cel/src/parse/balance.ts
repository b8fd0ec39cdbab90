import type { Expr } from '../ast.ts';

/**
 * Joins the terms of a chain of `&&` or `||` to a tree that is as flat as it can be, which is how cel-go nests them; the cost of an
 * expression depends on it.
 * @param terms two or more
 * @param join makes one expression of two
 */
export function balance(terms: readonly Expr[], join: (left: Expr, right: Expr) => Expr): Expr {
  const between = (first: number, last: number): Expr => {
    if (first === last) return terms[first]!;
    // The operator in the middle; of an even number the right one.
    const middle = Math.floor((first + last) / 2);
    return join(between(first, middle), between(middle + 1, last));
  };
  return between(0, terms.length - 1);
}
