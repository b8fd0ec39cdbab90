import type { CheckedExpr } from '../check/checked-expr.ts';
import type { SchemaType } from '../schema/schema-type.ts';
import { CostEstimator } from './cost-estimator.ts';
import { schemaSize, type Unbounded } from './schema-size.ts';

export interface ExpressionCost {
  /** The maximum cost in CEL's units; 2^64-1 if it is unbounded. */
  readonly cost: bigint;
  /** The values without a bound in the schema that affect the cost. */
  readonly unbounded: readonly Unbounded[];
}

/**
 * Estimates the maximum cost of an expression as the API server computes it.
 *
 * @param self the schema node that the expression is evaluated on
 */
export function estimateCost(checked: CheckedExpr, self: SchemaType): ExpressionCost {
  const unbounded = new Map<string, Unbounded>();
  const { max } = new CostEstimator(checked, schemaSize(self, unbounded)).cost(checked.expr);
  return { cost: max, unbounded: [...unbounded.values()] };
}
