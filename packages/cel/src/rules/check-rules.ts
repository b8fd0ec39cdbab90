import { maxUint64 } from '../cost/estimate.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { expressionBudget, schemaBudget } from './rule-budgets.ts';
import type { RuleCost } from './rule-cost.ts';
import { checkExpressions } from './check-expressions.ts';
import { checkTexts } from './check-texts.ts';
import { boundsHint, timesOver } from './describe-cost.ts';
import { NodeTypes, type RuleNode, ruleNodes } from './rule-node.ts';
import type { ArgumentProblem, RuleProblem } from './rule-problem.ts';

/** The rules of a schema, as the API server sees them. */
export interface CheckedRules {
  readonly problems: readonly RuleProblem[];
  /** The costs of the expressions that compile. */
  readonly costs: readonly RuleCost[];
  /** The sum of the costs. The API server has one budget per version: it does not add up versions. */
  readonly totalCost: bigint;
}

/**
 * Checks all rules (`x-kubernetes-validations`) in the schema of one version of a custom resource definition.
 * Reports exactly what API server 1.36 refuses when the definition is created. Does not check the structure of the
 * schema.
 *
 * @param schema `openAPIV3Schema` of the version, as parsed JSON
 */
export function checkRules(schema: StructuralSchema): CheckedRules {
  const problems: RuleProblem[] = [];
  const costs: RuleCost[] = [];
  const types = new NodeTypes();
  for (const node of ruleNodes(schema)) {
    for (const [index, rule] of (node.schema['x-kubernetes-validations'] ?? []).entries()) {
      const report = (problem: ArgumentProblem): number =>
        problems.push({ path: node.path, index, ...problem });
      checkTexts(rule, node.schema).forEach(report);
      const type = types.of(node);
      if (!type) {
        report(noType(node, rule.rule.length));
        continue;
      }
      const checked = checkExpressions(rule, node, type, index);
      checked.problems.forEach(report);
      costs.push(...checked.costs);
    }
  }
  // Rules that are too expensive alone are already reported; the others may be too expensive together.
  const others = costs.filter(({ total }) => total <= expressionBudget);
  if (sum(others) > schemaBudget) problems.push(tooExpensive(others));
  return { problems, costs, totalCost: sum(costs) };
}

function sum(costs: readonly RuleCost[]): bigint {
  const total = costs.reduce((cost, one) => cost + one.total, 0n);
  return total > maxUint64 ? maxUint64 : total;
}

function noType(node: RuleNode, end: number): ArgumentProblem {
  const hint = 'put the rule on an enclosing object that has a type, or give this value a type';
  const what = node.schema.type === undefined ? 'a value without a type' : 'values without a type';
  return {
    argument: 'rule',
    code: 'no-type',
    message: `a rule on ${what}, which rules do not see`,
    hint,
    start: 0,
    end,
  };
}

/** Reported once, for the most expensive expression. */
function tooExpensive(costs: readonly RuleCost[]): RuleProblem {
  const worst = costs.toSorted((a, b) => Number(b.total > a.total) - Number(b.total < a.total));
  const { path, index, argument } = worst[0]!;
  const times = timesOver(sum(costs), schemaBudget);
  const message = `all rules of this version together can cost ${times} what the API server allows; this one is the most expensive`;
  const hint = boundsHint(worst.slice(0, 4).flatMap(({ unbounded }) => unbounded));
  return { path, index, argument, code: 'total-cost', message, hint };
}
