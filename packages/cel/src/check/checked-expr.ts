import type { Expr } from '../ast.ts';
import type { CelType } from '../types/cel-type.ts';

/** An expression with the type checker's results, by the ids of its nodes. */
export interface CheckedExpr {
  readonly expr: Expr;
  /** Without type variables: a type that is still open is `dyn`. */
  readonly types: ReadonlyMap<number, CelType>;
  /** The possible overloads of a call. With `dyn` arguments there are several. */
  readonly overloads: ReadonlyMap<number, readonly string[]>;
  /**
   * The names that nodes refer to: the variable of an identifier, a type (`net.IP`), a function with a dotted name
   * (`optional.of`).
   */
  readonly names: ReadonlyMap<number, string>;
}
