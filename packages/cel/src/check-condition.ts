import { compile } from './compile.ts';
import type { Problem } from './problem.ts';
import { boolType, dynType } from './types/cel-type.ts';

/**
 * Parses and type-checks a condition about values without a schema, such as a `matchConditions` entry of a
 * webhook.
 *
 * @param text the expression
 * @param variables the names of its variables
 * @returns the problems
 */
export function checkCondition(text: string, variables: readonly string[]): readonly Problem[] {
  const compiled = compile(text, new Map(variables.map((name) => [name, dynType])), boolType);
  return 'problems' in compiled ? compiled.problems : [];
}
