import type { CheckedExpr } from '../check/checked-expr.ts';
import type { SchemaType } from '../schema/schema-type.ts';
import { CostEstimator } from './cost-estimator.ts';
import { schemaSize, type Unbounded } from './schema-size.ts';

export interface ExpressionCost {
  /** The most that the expression can cost, in CEL's units; 2^64-1 when that is without bounds. */
  readonly cost: bigint;
  /** What has no bound in the schema and counts. */
  readonly unbounded: readonly Unbounded[];
}

/**
 * Estimates what an expression can cost at most, in the numbers of an API server.
 * @param self the node of the schema that the expression is evaluated on
 */
export function estimateCost(checked: CheckedExpr, self: SchemaType): ExpressionCost {
  const unbounded = new Map<string, Unbounded>();
  const { max } = new CostEstimator(checked, schemaSize(self, unbounded)).cost(checked.expr);
  return { cost: max, unbounded: [...unbounded.values()] };
}
