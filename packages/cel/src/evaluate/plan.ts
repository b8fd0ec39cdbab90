import type { CelValue } from '../values/cel-value.ts';
import type { Attribute } from './attribute.ts';
import type { Step } from './scope.ts';

/** How a part of an expression is evaluated. */
export interface Plan {
  readonly run: Step;
  /** Its value when that is known beforehand; it costs nothing then. */
  readonly constant?: CelValue;
  /** How fields are selected from it; a value of any other kind is computed first. */
  readonly attribute?: Attribute;
}

/** The plan of a value that is known. */
export function constantPlan(constant: CelValue): Plan {
  return { constant, run: () => constant };
}
