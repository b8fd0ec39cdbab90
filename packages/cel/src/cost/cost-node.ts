import type { Expr } from '../ast.ts';
import type { CelType } from '../types/cel-type.ts';
import type { Estimate } from './estimate.ts';
import type { Path } from './path.ts';

/** A receiver or an argument of a call, as far as the cost of the call depends on it. */
export interface CostNode {
  readonly expr: Expr | undefined;
  readonly type: CelType;
  readonly path: Path;
  /** Its size, if the expression determines it. */
  readonly size: Estimate | undefined;
}

/** The cost of a call itself, and the size of its result if known. */
export interface CallCost {
  readonly cost: Estimate;
  readonly size?: Estimate;
}

/** The size of a value in the schema; undefined for other values. */
export type SizeOf = (path: Path) => Estimate | undefined;
