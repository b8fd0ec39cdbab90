import type { Range } from './ast.ts';

/** What is wrong with an expression, for programs. */
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

/** One thing that is wrong with an expression; `start` and `end` are UTF-16 offsets in its text. */
export interface Problem extends Range {
  readonly code: ProblemCode;
  /** What is wrong. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
}
