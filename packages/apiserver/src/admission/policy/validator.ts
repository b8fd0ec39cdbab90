import type { ValidatingAdmissionPolicySpec, Validation } from 'ots-kubernetes/admissionregistration/v1';
import {
  type CostBudget,
  type Evaluated,
  type Expression,
  OutOfBudgetError,
  evaluateExpression,
} from '../../expressions/evaluate-expressions.ts';
import { type ExpressionInput, ExpressionScope } from '../../expressions/expression-scope.ts';
import { type CompiledPolicy, compilePolicy, policyBudget } from './compile-policy.ts';

/** Why a validation does not hold. */
export interface Failure {
  readonly message: string;
  /** Such as `Forbidden`. Undefined for `Invalid`. */
  readonly reason?: string;
}

/** What a policy says about a request. */
export interface Verdict {
  /** The binding says what to do about them. */
  readonly failures: readonly Failure[];
  /** Audit annotations without a value. They always refuse the request. */
  readonly refusals: readonly Failure[];
}

interface CompiledValidation {
  readonly validation: Validation;
  readonly expression: Expression;
  readonly message: Expression | undefined;
}

const nothing: Verdict = { failures: [], refusals: [] };
const maxMessageBytes = 5 * 1024;

/** The compiled expressions of a ValidatingAdmissionPolicy. */
export class Validator {
  readonly #policy: CompiledPolicy;
  readonly #validations: readonly CompiledValidation[];
  readonly #annotations: readonly Expression[];
  readonly #isIgnored: boolean;

  constructor(spec: ValidatingAdmissionPolicySpec) {
    const { validations = [], auditAnnotations = [], failurePolicy } = spec;
    this.#policy = compilePolicy(spec);
    const { compiler } = this.#policy;
    this.#validations = validations.map((validation) => ({
      validation,
      expression: { text: validation.expression, compiled: compiler.compile(validation.expression, 'bool') },
      message: messageOf(validation, this.#policy),
    }));
    this.#annotations = auditAnnotations.map(({ valueExpression: text }) => ({
      text,
      compiled: compiler.compile(text, 'string or null'),
    }));
    this.#isIgnored = failurePolicy === 'Ignore';
  }

  /** Evaluates the policy for a request and a parameter. */
  validate(input: ExpressionInput): Verdict {
    const result = this.#policy.conditions.match(input);
    if ('error' in result) return this.#failed(result.error);
    if (!result.matches) return nothing;
    try {
      const failures = this.#evaluate(input);
      return { failures, refusals: this.#annotate(input) };
    } catch (error) {
      if (!(error instanceof OutOfBudgetError)) throw error;
      return this.#failed(error.message);
    }
  }

  #failed(message: string): Verdict {
    return this.#isIgnored ? nothing : { failures: [{ message }], refusals: [] };
  }

  #evaluate(input: ExpressionInput): Failure[] {
    const budget: CostBudget = { left: policyBudget };
    const scope = new ExpressionScope(input, this.#policy.variables);
    const results = this.#validations.map(({ expression }) => evaluateExpression(expression, scope, budget));
    const messages = this.#messages(input, budget);
    return this.#validations.flatMap(({ validation }, index) => {
      const failure = failureOf(validation, results[index]!, messages, index);
      return failure && !(this.#isIgnored && failure.isError) ? [failure] : [];
    });
  }

  /** The messages of all validations, also of those that hold: their cost counts. They cannot ask the authorizer. */
  #messages(input: ExpressionInput, budget: CostBudget): (Evaluated | undefined)[] | OutOfBudgetError {
    if (this.#validations.every(({ message }) => !message)) return [];
    const scope = new ExpressionScope({ ...input, authorizer: undefined }, this.#policy.variables);
    try {
      return this.#validations.map(({ message }) => message && evaluateExpression(message, scope, budget));
    } catch (error) {
      if (error instanceof OutOfBudgetError) return error;
      throw error;
    }
  }

  /** The values of audit annotations have no use here, but one that cannot be computed refuses the request. */
  #annotate(input: ExpressionInput): Failure[] {
    if (this.#annotations.length === 0) return [];
    const budget: CostBudget = { left: policyBudget };
    const scope = new ExpressionScope({ ...input, authorizer: undefined }, this.#policy.variables);
    const results = this.#annotations.map((annotation) => evaluateExpression(annotation, scope, budget));
    if (this.#isIgnored) return [];
    return results.flatMap((result) => ('error' in result ? [{ message: result.error }] : []));
  }
}

function messageOf(
  { messageExpression = '' }: Validation,
  { compiler }: CompiledPolicy,
): Expression | undefined {
  if (messageExpression === '') return undefined;
  return {
    text: messageExpression,
    compiled: compiler.compile(messageExpression, 'string', { authorizer: false }),
  };
}

function failureOf(
  { expression, message = '', reason }: Validation,
  result: Evaluated,
  messages: (Evaluated | undefined)[] | OutOfBudgetError,
  index: number,
): (Failure & { isError: boolean }) | undefined {
  if ('error' in result) return { message: result.error, isError: true };
  if (messages instanceof OutOfBudgetError)
    return { message: `failed messageExpression: ${messages.message}`, isError: true };
  if (result.value === true) return undefined;
  const text =
    computedMessage(messages[index]) || message.trim() || `failed expression: ${expression.trim()}`;
  return { message: text, isError: false, ...(reason !== undefined && { reason }) };
}

/** Empty when there is none, or it cannot be shown on one line. */
function computedMessage(evaluated: Evaluated | undefined): string {
  if (!evaluated || 'error' in evaluated || typeof evaluated.value !== 'string') return '';
  const text = evaluated.value.trim();
  return text.includes('\n') || Buffer.byteLength(text) > maxMessageBytes ? '' : text;
}
