import type { CelResult } from '../values/cel-value.ts';
import type { ValidationRule } from '../schema/structural-schema.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { IterationBudget } from './meter.ts';

/** Bytes of a message that an expression may make. */
const maxMessageSize = 5 * 1024;

/**
 * What is said of a rule that does not hold: what its expression for messages gives; or, when that fails or gives nothing that can be
 * shown on a line, its message; or the rule.
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

/** How errors name a rule. */
export function shownRule({ rule, message }: ValidationRule): string {
  return (message ? message : rule).trim();
}
