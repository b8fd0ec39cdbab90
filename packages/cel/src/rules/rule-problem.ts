import type { ProblemCode } from '../problem.ts';

/** The argument of a rule that is wrong. */
export type RuleArgument =
  | 'rule'
  | 'message'
  | 'messageExpression'
  | 'reason'
  | 'fieldPath'
  | 'optionalOldSelf';

export type RuleProblemCode =
  | ProblemCode
  | 'missing'
  | 'line-break'
  | 'unknown-reason'
  | 'bad-field-path'
  | 'no-type'
  | 'old-self'
  | 'cost'
  | 'total-cost';

/** One thing that is wrong with a rule of `x-kubernetes-validations`. */
export interface RuleProblem {
  /** The keys from the root of the schema to the node with the rule: `['properties', 'spec', 'items']`. */
  readonly path: readonly string[];
  /** Which rule of the node. */
  readonly index: number;
  readonly argument: RuleArgument;
  /** Where in the text of the argument, in UTF-16 offsets. */
  readonly start?: number;
  readonly end?: number;
  readonly code: RuleProblemCode;
  /** What is wrong. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
}

/** A problem before it is said which rule has it. */
export type ArgumentProblem = Omit<RuleProblem, 'path' | 'index'>;
