import type { Expr } from '../ast.ts';

/**
 * Joins the terms of a chain of `&&` or `||` into a balanced tree, as cel-go does; the cost of an expression
 * depends on it.
 *
 * @param terms two or more
 * @param join joins two expressions
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
