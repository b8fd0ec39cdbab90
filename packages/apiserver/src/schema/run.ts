import type { FieldError } from '../status/field-error.ts';

/** One validation of a whole value. */
export interface Run {
  /** The path of the whole value in its object. */
  readonly base: string;
  /** Whether the value is a default. Then `x-kubernetes-int-or-string` does not determine the type, but every format counts. */
  readonly isDefault: boolean;
  /** The steps left for patterns over the whole value: about a second, which is far more than they need. */
  readonly patternSteps: { left: number };
  /** Receives the errors. */
  readonly errors: FieldError[];
}
