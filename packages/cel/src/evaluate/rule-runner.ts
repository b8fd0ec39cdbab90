import type { CelResult } from '../values/cel-value.ts';
import { isError } from '../values/evaluation-error.ts';
import type { CelEvaluationError } from '../values/evaluation-error.ts';
import { fromJson } from '../values/from-json.ts';
import type { ValidationRule, StructuralSchema } from '../schema/structural-schema.ts';
import { Optional } from '../values/optional.ts';
import type { Change } from './change.ts';
import { compiledRule } from './compiled-rule.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { ruleMessage, shownRule } from './rule-message.ts';

/** A rule that does not hold. */
export interface RuleFailure {
  readonly path: readonly (string | number)[];
  /** The expression. */
  readonly rule: string;
  readonly message: string;
  /** Whether the rule could not run, which says nothing about the value. */
  readonly broken: boolean;
  /** The value that the rule ran on. */
  readonly value: unknown;
  /** The type in the value's schema. */
  readonly type: string;
  /** FieldValueInvalid unless the rule names another reason. */
  readonly reason: string;
  /** The rule's `fieldPath`: the part of the value it refers to, such as `.name`. */
  readonly fieldPath?: string;
}

/** The cost limit of all rules of one object together. */
const maxObjectCost = 10_000_000;

/** The maximum number of loop iterations of all rules of one object together, about some seconds. */
const maxObjectIterations = 10_000_000;

const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

type Fail = (message: string, broken?: boolean, list?: RuleFailure[]) => void;

/** Runs the rules of one object within one budget. */
export class RuleRunner {
  readonly failures: RuleFailure[] = [];
  /** Failures in unchanged parts of the object. */
  readonly ratcheted: RuleFailure[] = [];
  readonly #iterations = { left: maxObjectIterations };
  readonly #broken: ReadonlyMap<ValidationRule, string>;
  #budget = maxObjectCost;
  #exhausted = false;

  /** @param broken rules that do not compile, and why */
  constructor(broken: ReadonlyMap<ValidationRule, string>) {
    this.#broken = broken;
  }

  /** Whether the budget is exhausted; then no more rules run. */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /**
   * Runs the rules of one value.
   *
   * @param change rules that do not look at the old value are tolerated when there is no change
   */
  run(
    rules: readonly ValidationRule[],
    schema: StructuralSchema,
    path: RuleFailure['path'],
    value: unknown,
    old: unknown,
    change: Change,
  ): void {
    if (rules.length === 0) return;
    const self = fromJson(value, schema);
    const oldSelf = old === undefined ? undefined : fromJson(old, schema);
    for (const rule of rules) {
      if (this.#exhausted) return;
      const compiled = this.#broken.get(rule) ?? compiledRule(rule);
      if (!compiled) continue;
      const fail = (message: string, broken = true, list = this.failures) =>
        list.push(failure(rule, { path, message, broken, value, type: schema.type ?? '' }));
      if (typeof compiled === 'string') fail(`rule compile error: ${compiled}`);
      else this.#runOne(rule, compiled, variablesOf(rule, self, oldSelf), change, fail);
    }
  }

  #runOne(
    rule: ValidationRule,
    compiled: CompiledRule,
    variables: Record<string, CelResult> | undefined,
    change: Change,
    fail: Fail,
  ): void {
    if (compiled.usesOldSelf && (!variables || !('oldSelf' in variables))) return;
    const { value, cost } = compiled.program.evaluate(variables ?? {}, { iterations: this.#iterations });
    if (cost > this.#budget) return this.#exhaust(fail, outOfBudget);
    this.#budget -= cost;
    if (value === true) return;
    if (isError(value)) return this.#failOnError(rule, value, fail);
    const list = !compiled.usesOldSelf && change.none ? this.ratcheted : this.failures;
    const { message, cost: messageCost } = ruleMessage(rule, compiled, variables ?? {}, this.#iterations);
    if (messageCost > this.#budget) {
      const reason = 'messageExpression evaluation failed due to running out of cost budget';
      this.#exhausted = true;
      fail(`${reason}, no further validation rules will be run`, true, list);
      return;
    }
    this.#budget -= messageCost;
    fail(message, false, list);
  }

  #failOnError(rule: ValidationRule, { message }: CelEvaluationError, fail: Fail): void {
    if (message.startsWith('no such overload')) {
      const reason = 'call arguments did not match a supported operator, function or macro signature';
      fail(`'${message}': ${reason} for rule: ${shownRule(rule)}`);
    } else if (message.startsWith('operation cancelled')) {
      const reason = 'no further validation rules will be run due to call cost exceeds limit';
      this.#exhaust(fail, `'${message}': ${reason} for rule: ${shownRule(rule)}`);
    } else {
      fail(`${message} evaluating rule: ${shownRule(rule)}`);
    }
  }

  #exhaust(fail: Fail, message: string): void {
    this.#exhausted = true;
    fail(message);
  }
}

/** `oldSelf` exists when the old value does, or when the rule treats it as optional. */
function variablesOf(
  rule: ValidationRule,
  self: CelResult,
  oldSelf: CelResult | undefined,
): Record<string, CelResult> {
  if (!rule.optionalOldSelf) return oldSelf === undefined ? { self } : { self, oldSelf };
  const missing = oldSelf === undefined || isError(oldSelf);
  return { self, oldSelf: missing ? (oldSelf ?? Optional.none) : Optional.of(oldSelf) };
}

function failure(
  { rule, fieldPath, reason }: ValidationRule,
  { broken, ...told }: Pick<RuleFailure, 'path' | 'message' | 'broken' | 'value' | 'type'>,
): RuleFailure {
  // A rule that cannot run is reported for the whole value, whatever its field path.
  if (broken) return { ...told, broken, rule, reason: 'FieldValueInvalid' };
  return {
    ...told,
    broken,
    rule,
    reason: reason ?? 'FieldValueInvalid',
    ...(fieldPath !== undefined && { fieldPath }),
  };
}
