import type { CheckedExpr } from '../check/checked-expr.ts';
import { compile } from '../compile.ts';
import { estimateCost } from '../cost/estimate-cost.ts';
import type { SchemaType } from '../schema/schema-type.ts';
import type { ValidationRule } from '../schema/structural-schema.ts';
import { boolType, type CelType, optionalOf, stringType } from '../types/cel-type.ts';
import { expressionBudget } from './rule-budgets.ts';
import { costOfAll, fromRoot, type RuleCost, unboundedAround } from './rule-cost.ts';
import { boundsHint, timesOver } from './describe-cost.ts';
import type { RuleNode } from './rule-node.ts';
import type { ArgumentProblem } from './rule-problem.ts';

/** The costs and problems of a rule's expressions. */
export interface CheckedExpressions {
  readonly problems: readonly ArgumentProblem[];
  readonly costs: readonly RuleCost[];
}

/**
 * Compiles the expressions of a rule against the node that has it.
 *
 * @param type the node's type in rules
 * @param index the index of the rule in the node
 */
export function checkExpressions(
  rule: ValidationRule,
  node: RuleNode,
  type: SchemaType,
  index: number,
): CheckedExpressions {
  const problems: ArgumentProblem[] = [];
  const costs: RuleCost[] = [];
  const variables = new Map<string, CelType>([
    ['self', type.type],
    ['oldSelf', rule.optionalOldSelf === true ? optionalOf(type.type) : type.type],
  ]);
  const checkOne = (
    argument: 'rule' | 'messageExpression',
    text: string,
    result: CelType,
  ): CheckedExpr | undefined => {
    const compiled = compile(text, { variables }, result);
    if ('problems' in compiled) {
      problems.push(...compiled.problems.map((problem) => ({ ...problem, argument })));
      return undefined;
    }
    const cost = costOf(argument, compiled.checked, node, type, index);
    costs.push(cost);
    if (cost.total > expressionBudget) problems.push(tooExpensive(cost, text.length));
    return compiled.checked;
  };
  if (rule.rule.trim() !== '') {
    const checked = checkOne('rule', rule.rule, boolType);
    if (checked) problems.push(...checkOldSelf(rule, checked, node));
  }
  if (rule.messageExpression?.trim()) checkOne('messageExpression', rule.messageExpression, stringType);
  return { problems, costs };
}

function costOf(
  argument: RuleCost['argument'],
  checked: CheckedExpr,
  node: RuleNode,
  type: SchemaType,
  index: number,
): RuleCost {
  const { cost, unbounded } = estimateCost(checked, type);
  const repeated = argument === 'rule';
  const around = repeated ? unboundedAround(node) : [];
  return {
    path: node.path,
    index,
    argument,
    cost,
    total: repeated ? costOfAll(cost, node, type) : cost,
    unbounded: [...around, ...fromRoot(unbounded, node)],
  };
}

function tooExpensive({ argument, total, unbounded }: RuleCost, end: number): ArgumentProblem {
  const message = `the ${argument} can cost ${timesOver(total, expressionBudget)} what the API server allows`;
  return { argument, code: 'cost', message, hint: boundsHint(unbounded), start: 0, end };
}

function checkOldSelf(rule: ValidationRule, checked: CheckedExpr, node: RuleNode): ArgumentProblem[] {
  const uses = [...checked.names].filter(([, name]) => name === 'oldSelf').length > 0;
  if (uses && node.uncorrelated) {
    const list = node.uncorrelated.path.at(-1) ?? 'the list';
    const hint = `put the rule on ${list} itself, or make it a list with keys (x-kubernetes-list-type: map)`;
    return [
      {
        argument: 'rule',
        code: 'old-self',
        message: `oldSelf in the items of ${list}, which cannot be matched to old items`,
        hint,
        start: 0,
        end: rule.rule.length,
      },
    ];
  }
  if (uses || rule.optionalOldSelf === undefined) return [];
  const hint = 'remove it; it makes oldSelf an optional';
  return [
    {
      argument: 'optionalOldSelf',
      code: 'old-self',
      message: 'optionalOldSelf for a rule that does not use oldSelf',
      hint,
    },
  ];
}
