import type { CompilerMessage, ProblemCode } from '../problem.ts';

/** The invalid argument of a rule. */
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

/** A problem in a rule of `x-kubernetes-validations`. */
export interface RuleProblem {
  /** The keys from the root of the schema to the node with the rule: `['properties', 'spec', 'items']`. */
  readonly path: readonly string[];
  /** The index of the rule in the node. */
  readonly index: number;
  readonly argument: RuleArgument;
  /** The position in the text of the argument, in UTF-16 offsets. */
  readonly start?: number;
  readonly end?: number;
  readonly code: RuleProblemCode;
  /** The problem. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
  /** The same problem as the API server's compiler reports it. */
  readonly compiler?: CompilerMessage;
}

/** A problem without the position of its rule. */
export type ArgumentProblem = Omit<RuleProblem, 'path' | 'index'>;
