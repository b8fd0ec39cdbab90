import { isQualifiedName } from 'ots-apimachinery/names';
import type { ReportProblem } from './report-problem.ts';
import type { MatchCondition } from './webhook-configuration.ts';

/** The limit of the API server. */
const maxConditions = 64;

/** Checks the conditions, except for their expressions (validateMatchConditions of the API server). */
export function checkMatchConditions(conditions: readonly MatchCondition[], report: ReportProblem): void {
  const field = 'matchConditions';
  if (conditions.length > maxConditions)
    report([field], `has ${conditions.length} items`, `the API server takes ${maxConditions}`);
  const seen = new Set<string>();
  for (const [index, { name, expression }] of conditions.entries()) {
    if (name === undefined) {
      report([field, index], 'has an item without name', 'add name: …, which messages about it show');
    } else if (!isQualifiedName(name)) {
      const hint = 'it is letters, digits, -, _ and ., at most 63, like exclude-leases';
      report([field, index, 'name'], `cannot be '${name}'`, hint);
    } else if (seen.has(name)) {
      report([field, index, 'name'], `is ${name} twice`, 'give each its own name');
    }
    seen.add(name ?? '');
    if (expression === undefined || expression.trim() === '') {
      const hint = `add expression: "object.metadata.name != 'x'", or such`;
      report([field, index], 'has an item without expression', hint);
    }
  }
}
