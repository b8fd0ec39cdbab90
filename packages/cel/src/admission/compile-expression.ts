import { check, type Environment } from '../compile.ts';
import { describeProblems, explainProblems } from '../describe-problems.ts';
import { Program } from '../evaluate/program.ts';
import { constantCode } from '../problem.ts';
import { type CelType, boolType, listOf, nullType, stringType, struct } from '../types/cel-type.ts';
import { fullTypeName } from '../types/compiler-type.ts';
import { sameType } from '../types/same-type.ts';
import { objectTypeName, patchTypeName } from '../values/created-object.ts';

/** The results that expressions about a request may have. `any` accepts all. */
const resultTypes = {
  bool: [boolType],
  string: [stringType],
  'string or null': [stringType, nullType],
  object: [struct(objectTypeName)],
  patches: [listOf(struct(patchTypeName))],
  any: undefined,
} satisfies Record<string, readonly CelType[] | undefined>;

/** What an expression of an admission policy must evaluate to. */
export type ExpressionResult = keyof typeof resultTypes;

/** An expression that can run. */
export interface CompiledExpression {
  readonly program: Program;
  readonly type: CelType;
}

/** Why an expression cannot run, in the words of the API server. */
export interface ExpressionError {
  readonly error: string;
  /** Whether the API server calls it an internal error. */
  readonly isInternal?: boolean;
}

/**
 * Determines the type of an expression about a request.
 *
 * @param environment what the expression may use
 * @returns the type, or all problems in the words of the API server's compiler
 */
export function typeCheck(
  text: string,
  environment: Environment,
): { readonly type: CelType } | ExpressionError {
  const compiled = check(text, environment, false);
  return 'problems' in compiled ? { error: describeProblems(compiled.problems, text) } : compiled;
}

/**
 * Compiles an expression about a request.
 *
 * @param environment what the expression may use
 * @param result what its value must be
 */
export function compileExpression(
  text: string,
  environment: Environment,
  result: ExpressionResult,
): CompiledExpression | ExpressionError {
  const compiled = check(text, environment);
  if ('problems' in compiled) {
    const { problems } = compiled;
    const isInternal = problems.every(({ code }) => code === constantCode);
    return { error: explainProblems(problems, text), isInternal };
  }
  const wanted: readonly CelType[] | undefined = resultTypes[result];
  const { checked, type } = compiled;
  if (!wanted || wanted.some((one) => sameType(one, type)))
    return { program: new Program(checked.expr), type };
  const names = wanted.map(fullTypeName);
  const expected = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  return { error: `must evaluate to ${expected} but got ${fullTypeName(type)}` };
}
