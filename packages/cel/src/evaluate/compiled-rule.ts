import type { Expr } from '../ast.ts';
import { CelSyntaxError } from '../parse/cel-syntax-error.ts';
import { parse } from '../parse/parse.ts';
import type { ValidationRule } from '../schema/structural-schema.ts';
import { Program } from './program.ts';
import { usesVariable } from './uses-variable.ts';

/** A compiled rule. */
export interface CompiledRule {
  readonly program: Program;
  /** Whether it refers to the old value. */
  readonly usesOldSelf: boolean;
  readonly messageProgram: Program | undefined;
}

const compiled = new WeakMap<ValidationRule, CompiledRule | string | undefined>();

/**
 * Compiles a rule, once for each rule object.
 *
 * @returns undefined for an empty rule, which always holds; the error text when the rule cannot be parsed
 */
export function compiledRule(rule: ValidationRule): CompiledRule | string | undefined {
  if (!compiled.has(rule)) compiled.set(rule, compile(rule));
  return compiled.get(rule);
}

function compile({ rule, messageExpression }: ValidationRule): CompiledRule | string | undefined {
  if (rule.trim() === '') return undefined;
  try {
    const expr = parse(rule);
    return {
      program: new Program(expr),
      usesOldSelf: usesVariable(expr, 'oldSelf'),
      messageProgram: programOf(messageExpression),
    };
  } catch (error) {
    if (error instanceof CelSyntaxError) return error.message;
    throw error;
  }
}

/** An invalid message is no reason to refuse a value: it counts as absent. */
function programOf(text: string | undefined): Program | undefined {
  if (!text) return undefined;
  try {
    const expr: Expr = parse(text);
    return new Program(expr);
  } catch (error) {
    if (error instanceof CelSyntaxError) return undefined;
    throw error;
  }
}
