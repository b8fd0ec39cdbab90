import type { Expr } from '../ast.ts';
import type { CelType } from '../types/cel-type.ts';

/** An expression with what the type checker found out, by the ids of its nodes. */
export interface CheckedExpr {
  readonly expr: Expr;
  /** No type variables are left: what could be anything is `dyn`. */
  readonly types: ReadonlyMap<number, CelType>;
  /** The overloads that a call may come to. With `dyn` arguments there are several. */
  readonly overloads: ReadonlyMap<number, readonly string[]>;
  /** What a node refers to that is a name: the variable of an identifier, a type (`net.IP`), a function with a dotted name (`optional.of`). */
  readonly names: ReadonlyMap<number, string>;
}
