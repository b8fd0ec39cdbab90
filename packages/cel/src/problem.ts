import type { Range } from './ast.ts';

/** The rule that an expression violates. */
export type ProblemCode =
  | 'syntax'
  | 'undeclared'
  | 'undefined-field'
  | 'no-fields'
  | 'no-such-overload'
  | 'type-mismatch'
  | 'not-iterable'
  | 'mixed-types'
  | 'bad-literal'
  | 'bad-format'
  | 'result-type'
  | 'type-too-large';

/** A problem in an expression. `start` and `end` are UTF-16 offsets in its text. */
export interface Problem extends Range {
  readonly code: ProblemCode;
  /** The problem. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
}
