import type { FieldError } from '../status/field-error.ts';

/** One check of a whole value. */
export interface Run {
  /** Where the whole value stands in its object. */
  readonly base: string;
  /** Whether `x-kubernetes-int-or-string` says nothing of the type. */
  readonly takesAnyType: boolean;
  /** Takes what is wrong. */
  readonly errors: FieldError[];
}
