import { requestEnvironment } from './admission/request-environment.ts';
import { compile } from './compile.ts';
import type { Problem } from './problem.ts';
import { boolType } from './types/cel-type.ts';

/**
 * Parses and type-checks a condition about a request: an entry of `matchConditions` of a webhook.
 *
 * @param text the expression
 * @returns the problems
 */
export function checkCondition(text: string): readonly Problem[] {
  const compiled = compile(text, requestEnvironment({ authorizer: true }), boolType);
  return 'problems' in compiled ? compiled.problems : [];
}
