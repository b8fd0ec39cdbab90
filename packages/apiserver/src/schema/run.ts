import type { FieldError } from '../status/field-error.ts';

/** One check of a whole value. */
export interface Run {
  /** Where the whole value stands in its object. */
  readonly base: string;
  /** Whether the value is a default: `x-kubernetes-int-or-string` says nothing of the type then, but every format does. */
  readonly isDefault: boolean;
  /** How many steps patterns may take for all of the value: a second or so, which is much more than they need. */
  readonly patternSteps: { left: number };
  /** Takes what is wrong. */
  readonly errors: FieldError[];
}
