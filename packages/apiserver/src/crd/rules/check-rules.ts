import type { RuleCost, RuleProblem, ValidationRule } from 'ots-cel';
import { type Schema, additionalSchema, itemSchema } from '../../schema/json-schema.ts';
import { type FieldError, forbidden, internal, invalid } from '../../status/field-error.ts';
import { goJson } from '../../json/go-json.ts';
import type { KeywordFault } from '../schema/validate-keywords.ts';
import { cel } from './cel.ts';
import { asStructural } from './rule-errors.ts';

/** Reported elsewhere: these texts are validated with the keywords of the schema. */
const textCodes = new Set<RuleProblem['code']>([
  'missing',
  'line-break',
  'unknown-reason',
  'bad-field-path',
  'cost',
  'total-cost',
]);

/**
 * Compiles the rules of a structural schema, and estimates their cost.
 *
 * @param path the path of the schema, such as `spec.validation.openAPIV3Schema`
 * @param faults keyword errors: rules at or below them are skipped
 */
export function checkRules(schema: Schema, path: string, faults: readonly KeywordFault[]): FieldError[] {
  const { checkRules: check, expressionBudget } = cel();
  const { problems, costs } = check(asStructural(schema));
  const isSound = (place: string) => faults.every(({ at }) => !at.startsWith(place));
  const checkedCosts = costs.filter((cost) => isSound(pathOf(cost.path, path)));
  return [
    ...problems
      .filter((problem) => !textCodes.has(problem.code) && isSound(pathOf(problem.path, path)))
      .filter(isFirstOfExpression)
      .flatMap((problem) => [
        problemError(problem, sameExpression(problem, problems), schema, path),
        ...unusedOldSelf(problem, schema, path),
      ]),
    ...checkedCosts.filter(({ total }) => total > expressionBudget).map((cost) => costError(cost, path)),
    ...totalErrors(checkedCosts, path),
  ];
}

/** A real server puts all errors of one expression into one message. */
function isFirstOfExpression(problem: RuleProblem, position: number, all: readonly RuleProblem[]): boolean {
  return all.findIndex((other) => isSameExpression(other, problem)) === position;
}

function isSameExpression(a: RuleProblem, b: RuleProblem): boolean {
  return a.index === b.index && a.argument === b.argument && a.path.join('\n') === b.path.join('\n');
}

function sameExpression(problem: RuleProblem, all: readonly RuleProblem[]): RuleProblem[] {
  return all.filter((other) => !textCodes.has(other.code) && isSameExpression(other, problem));
}

/** `['properties', 'spec', 'items']` as `….properties[spec].items`. */
function pathOf(keys: readonly string[], path: string): string {
  let written = path;
  for (let index = 0; index < keys.length; index += 1) {
    written += `.${keys[index]}`;
    if (keys[index] === 'properties') written += `[${keys[(index += 1)]}]`;
  }
  return written;
}

/** @param all the problems of the same expression */
function problemError(
  problem: RuleProblem,
  all: readonly RuleProblem[],
  root: Schema,
  path: string,
): FieldError {
  const { path: keys, index, argument, code } = problem;
  const place = `${pathOf(keys, path)}.x-kubernetes-validations`;
  const rule = nodeAt(root, keys)?.['x-kubernetes-validations']?.[index];
  const field = `${place}[${index}].${argument}`;
  if (code === 'no-type') {
    const detail =
      'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
    return internal(place, detail);
  }
  if (code === 'old-self') {
    if (argument === 'optionalOldSelf')
      return invalid(field, rule?.optionalOldSelf, 'may not be set if oldSelf is not used in rule');
    const around = pathOf(uncorrelated(root, keys), path);
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${around}`;
    return invalid(field, rule?.rule, detail);
  }
  const detail = compilerDetail(problem, all, rule);
  const { messageExpression = '', reason = null, fieldPath = '', optionalOldSelf = null } = rule ?? {};
  // The fields in Go's notation and order.
  const shown = [
    ['Rule', rule?.rule ?? ''],
    ['Message', rule?.message ?? ''],
    ['MessageExpression', messageExpression],
    ['Reason', reason],
    ['FieldPath', fieldPath],
    ['OptionalOldSelf', optionalOldSelf],
  ].map(([name, value]) => `"${name}":${goJson(value)}`);
  return {
    reason: 'FieldValueInvalid',
    field,
    message: `Invalid value: {${shown.join(',')}}: ${detail}`,
  };
}

function compilerDetail(
  problem: RuleProblem,
  all: readonly RuleProblem[],
  rule: ValidationRule | undefined,
): string {
  const isMessage = problem.argument === 'messageExpression';
  if (problem.code === 'result-type')
    return isMessage
      ? 'messageExpression must evaluate to a string'
      : 'cel expression must evaluate to a bool';
  const text = (isMessage ? rule?.messageExpression : rule?.rule) ?? '';
  return `${isMessage ? 'messageExpression ' : ''}${cel().explainProblems(all, text)}`;
}

/** The rules of a schema that do not compile, and why. */
export function brokenRules(schema: Schema): Map<ValidationRule, string> {
  const broken = new Map<ValidationRule, string>();
  const { problems } = cel().checkRules(asStructural(schema));
  for (const problem of problems.filter(isFirstOfExpression)) {
    const rule = nodeAt(schema, problem.path)?.['x-kubernetes-validations']?.[problem.index];
    const isCompilers =
      !textCodes.has(problem.code) && problem.code !== 'old-self' && problem.code !== 'no-type';
    if (rule && isCompilers && problem.argument === 'rule')
      broken.set(rule, compilerDetail(problem, sameExpression(problem, problems), rule));
  }
  return broken;
}

/** A rule that does not compile uses nothing. */
function unusedOldSelf(
  { path: keys, index, argument, code }: RuleProblem,
  root: Schema,
  path: string,
): FieldError[] {
  const optional = nodeAt(root, keys)?.['x-kubernetes-validations']?.[index]?.optionalOldSelf;
  if (optional === undefined || argument !== 'rule' || code === 'old-self' || code === 'no-type') return [];
  const field = `${pathOf(keys, path)}.x-kubernetes-validations[${index}].optionalOldSelf`;
  return [invalid(field, optional, 'may not be set if oldSelf is not used in rule')];
}

function nodeAt(root: Schema, keys: readonly string[]): Schema | undefined {
  let node: Schema | undefined = root;
  for (let index = 0; index < keys.length && node; index += 1) {
    const key = keys[index];
    if (key === 'properties') node = node.properties?.[keys[(index += 1)] ?? ''];
    else node = key === 'items' ? itemSchema(node) : additionalSchema(node);
  }
  return node;
}

/** The outermost list whose items cannot be correlated with old ones. */
function uncorrelated(root: Schema, keys: readonly string[]): readonly string[] {
  for (let length = 0; length < keys.length; length += 1) {
    if (keys[length] === 'properties') length += 1;
    else if (
      keys[length] === 'items' &&
      nodeAt(root, keys.slice(0, length))?.['x-kubernetes-list-type'] !== 'map'
    )
      return keys.slice(0, length);
  }
  return keys;
}

function costError({ path: keys, index, argument, total }: RuleCost, path: string): FieldError {
  const name = argument === 'rule' ? 'estimated rule cost' : 'estimated messageExpression cost';
  return forbidden(
    `${pathOf(keys, path)}.x-kubernetes-validations[${index}].${argument}`,
    tooMuch(name, total, cel().expressionBudget),
  );
}

/** Names up to four expressions that each cost at least a hundredth of the total limit. */
function totalErrors(costs: readonly RuleCost[], path: string): FieldError[] {
  const { schemaBudget } = cel();
  const sum = costs.reduce((total, cost) => total + cost.total, 0n);
  const maximum = 2n ** 64n - 1n;
  const total = sum > maximum ? maximum : sum;
  if (total <= schemaBudget) return [];
  const mostExpensive = costs
    .filter((cost) => cost.total >= schemaBudget / 100n)
    .toSorted((a, b) => Number(b.total > a.total) - Number(b.total < a.total))
    .slice(0, 4);
  const shared = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [
    ...mostExpensive.map(({ path: keys, index, argument }) =>
      forbidden(`${pathOf(keys, path)}.x-kubernetes-validations[${index}].${argument}`, shared),
    ),
    forbidden(path, tooMuch(name, total, schemaBudget)),
  ];
}

function tooMuch(name: string, cost: bigint, budget: bigint): string {
  const times = Number(cost) / Number(budget);
  const factor = times > 100 ? 'more than 100x' : `${times < 1.5 ? times.toFixed(6) : times.toFixed(1)}x`;
  return `${name} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
