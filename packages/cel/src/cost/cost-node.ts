import type { Expr } from '../ast.ts';
import type { CelType } from '../types/cel-type.ts';
import type { Estimate } from './estimate.ts';
import type { Path } from './path.ts';

/** A receiver or an argument of a call, as far as the cost of the call depends on it. */
export interface CostNode {
  readonly expr: Expr | undefined;
  readonly type: CelType;
  readonly path: Path;
  /** Its size, as far as the expression says it. */
  readonly size: Estimate | undefined;
}

/** What a call costs by itself, and the size of its result when that is known. */
export interface CallCost {
  readonly cost: Estimate;
  readonly size?: Estimate;
}

/** The size of a value in the schema, or undefined when it is none that the schema says. */
export type SizeOf = (path: Path) => Estimate | undefined;
