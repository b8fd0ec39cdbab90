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
  | typeof constantCode
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
  /** The same problem as the API server's compiler reports it. Undefined where it has other words for each text. */
  readonly compiler?: CompilerMessage;
}

/** A problem without its position. */
export type UnplacedProblem = Pick<Problem, 'code' | 'message' | 'hint'>;

/** A message of cel-go, and the offset that it points at. */
export interface CompilerMessage {
  readonly text: string;
  readonly at: number;
}

/** The code of constants that the API server converts only after it has compiled the expression. */
export const constantCode = 'bad-constant';
