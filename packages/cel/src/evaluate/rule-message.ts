import type { CelResult } from '../values/cel-value.ts';
import type { ValidationRule } from '../schema/structural-schema.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { IterationBudget } from './meter.ts';

/** The maximum size in bytes of a message from an expression. */
const maxMessageSize = 5 * 1024;

/**
 * The message about a failed rule: the result of its message expression; or, if that fails or cannot be shown on
 * one line, its message; or the rule itself.
 */
export function ruleMessage(
  rule: ValidationRule,
  { messageProgram }: CompiledRule,
  variables: Readonly<Record<string, CelResult>>,
  iterations: IterationBudget,
): { message: string; cost: number } {
  const fallback = rule.message ? rule.message.trim() : `failed rule: ${shownRule(rule)}`;
  if (!messageProgram) return { message: fallback, cost: 0 };
  const { value, cost } = messageProgram.evaluate(variables, { iterations });
  const text = typeof value === 'string' ? value.trim() : '';
  const usable = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= maxMessageSize;
  return { message: usable ? text : fallback, cost };
}

/** The text of a rule in errors. */
export function shownRule({ rule, message }: ValidationRule): string {
  return (message ? message : rule).trim();
}
