import { checkRules } from 'ots-cel';
import type { RuleProblem } from 'ots-cel';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { originKey } from '../schema/origin.ts';
import type { Origin } from '../schema/origin.ts';
import type { JsonSchema } from '../schema/schema-json.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Reports validation rules that the API server would reject: they do not parse, do not fit the schema, or can
 * cost too much.
 * @param json the same schema as plain JSON
 * @param kind the fallback location for errors
 * @returns whether there is nothing to report
 */
export function reportRuleProblems(
  root: Schema,
  json: JsonSchema,
  kind: Origin,
  diagnostics: Diagnostics,
): boolean {
  const { problems } = checkRules(json);
  for (const problem of problems) {
    const { source, span } = placeOf(problem, root) ?? kind;
    diagnostics.error(source, span, `rule-${problem.code}`, problem.message, withTags(problem.hint));
  }
  return problems.length === 0;
}

function placeOf({ path, index, argument, start, end }: RuleProblem, root: Schema): Origin | undefined {
  let node: Schema | undefined = root;
  let nearest: Origin | undefined;
  for (let i = 0; i < path.length && node; i++) {
    if (path[i] === 'properties') node = node.properties?.get(path[++i]!);
    else node = path[i] === 'items' ? node.items : node.additionalProperties;
    nearest = node?.[originKey] ?? nearest;
  }
  const rule = node?.['x-kubernetes-validations']?.[index]?.[originKey];
  return rule ? { source: rule.source, span: rule.spanOf(argument, start, end) } : nearest;
}

/** Replaces a keyword of the schema with the tag that sets it. */
function withTags(hint: string): string {
  return hint.replaceAll(/\bmax(?:Items|Length|Properties)\b/g, '@$&');
}
