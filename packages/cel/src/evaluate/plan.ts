import type { CelValue } from '../values/cel-value.ts';
import type { Attribute } from './attribute.ts';
import type { Step } from './scope.ts';

/** How to evaluate a part of an expression. */
export interface Plan {
  readonly run: Step;
  /** The value if it is constant; it is free then. */
  readonly constant?: CelValue;
  /** How to select fields from it; a value of any other kind is computed first. */
  readonly attribute?: Attribute;
}

/** The plan of a constant. */
export function constantPlan(constant: CelValue): Plan {
  return { constant, run: () => constant };
}
