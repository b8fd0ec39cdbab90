import type { ObservedWrite } from '../../convergence/observed-write.ts';
import type { WritePoint } from '../plans/plan.ts';

/** A write of the operator, and where in the scenario it was. */
export interface PlacedWrite extends WritePoint {
  readonly text: string;
  readonly observed: ObservedWrite;
  /** How many writes of the cluster came before it. */
  readonly traced: number;
  /** When the operator sent it, in milliseconds since the run began. */
  readonly time: number;
  /** Whether it created an object. */
  isCreation: boolean;
  /** The line of the author that made it, if the run explains. */
  readonly source?: { readonly file: string; readonly line: number } | undefined;
}

/** An event of a watch that arrived at the operator, and where in the scenario: after which write. */
export interface SeenEvent extends WritePoint {
  readonly resource: string;
}
