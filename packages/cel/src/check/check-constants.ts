import type { CallExpr, Expr, LiteralValue } from '../ast.ts';
import { conversions } from '../functions/conversions.ts';
import { findOverload } from '../functions/overload.ts';
import { parsePattern } from '../pattern/parse-pattern.ts';
import { PatternError } from '../pattern/pattern-error.ts';
import { constantCode, type Problem } from '../problem.ts';
import type { CelResult } from '../values/cel-value.ts';
import { isError, noSuchOverload } from '../values/evaluation-error.ts';
import { Uint } from '../values/uint.ts';

const patternFunctions: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/**
 * Finds constants that always fail: the API server converts constants and compiles regular expressions when it
 * accepts the rule.
 *
 * @param call a call that matches an overload
 */
export function checkConstants(call: CallExpr): Problem[] {
  if (!call.target && Object.hasOwn(conversions, call.function)) return checkConversion(call);
  return patternFunctions.has(call.function)
    ? patternsOf(call).flatMap((pattern) => checkPattern(pattern, call.function))
    : [];
}

function checkConversion(call: CallExpr): Problem[] {
  const arg = call.args[0]!;
  const converted = constantOf(call);
  if (isError(constantOf(arg)) || !isError(converted)) return [];
  const isCompiled = call.function === 'duration' || call.function === 'timestamp';
  const written =
    arg.kind === 'literal' && arg.value.type === 'string' ? JSON.stringify(arg.value.value) : 'this value';
  return [
    {
      code: isCompiled ? 'bad-literal' : constantCode,
      message: `${written} is not a valid ${call.function}`,
      hint: hintFor(call.function),
      start: arg.start,
      end: arg.end,
      compiler: {
        text: isCompiled ? `invalid ${call.function} argument` : converted.message,
        at: arg.at,
      },
    },
  ];
}

function hintFor(name: string): string {
  switch (name) {
    case 'duration':
      return 'write a duration like "90s", "1h30m" or "1.5h"';
    case 'timestamp':
      return 'write a time like "2024-01-31T12:00:00Z"';
    case 'bool':
      return 'write "true" or "false"';
    default:
      return `the conversion would always fail; write a value that is ${name === 'int' ? 'an' : 'a'} ${name}`;
  }
}

/** The pattern follows the text; the API server also treats the text of `matches("text", pattern)` as a pattern. */
function patternsOf(call: CallExpr): readonly Expr[] {
  if (call.target) return call.args.slice(0, 1);
  return call.args.filter((arg, index) => index === 1 || arg.kind === 'literal');
}

function checkPattern(expr: Expr, name: string): Problem[] {
  const pattern = constantOf(expr);
  if (typeof pattern !== 'string') return [];
  try {
    parsePattern(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const isCompiled = name === 'matches';
    const hint =
      error.hint ?? 'the API server uses RE2 regular expressions, without lookaround and backreferences';
    return [
      {
        code: isCompiled ? 'bad-literal' : constantCode,
        message: `invalid regular expression: ${error.message}`,
        hint,
        start: expr.start,
        end: expr.end,
        compiler: { text: isCompiled ? 'invalid matches argument' : error.goMessage, at: expr.at },
      },
    ];
  }
}

/** The value of a literal, or of a conversion of a literal. */
function constantOf(expr: Expr): CelResult | undefined {
  if (expr.kind === 'literal') return literalValue(expr.value);
  if (
    expr.kind !== 'call' ||
    expr.target ||
    expr.args.length !== 1 ||
    !Object.hasOwn(conversions, expr.function)
  )
    return undefined;
  if (expr.function === 'size') return undefined;
  const arg = constantOf(expr.args[0]!);
  if (arg === undefined || isError(arg)) return arg;
  const overload = findOverload(conversions[expr.function]!, [arg]);
  return overload ? overload.run(...([arg] as never[])) : noSuchOverload();
}

function literalValue(value: LiteralValue): CelResult {
  if (value.type === 'null') return null;
  return value.type === 'uint' ? new Uint(value.value) : value.value;
}
