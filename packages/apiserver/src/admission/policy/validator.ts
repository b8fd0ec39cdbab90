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
  /** Which validation it is; 0 for a failure of the whole policy. */
  readonly index: number;
  /** Such as `Forbidden`. Undefined for `Invalid`. */
  readonly reason?: string;
}

/** What a policy says about a request. */
export interface Verdict {
  /** The binding says what to do about them. */
  readonly failures: readonly Failure[];
  /** Why audit annotations have no value. Such errors always refuse the request. */
  readonly errors: readonly string[];
  readonly annotations: readonly AuditValue[];
}

/** The value of an audit annotation. */
export interface AuditValue {
  /** Without the name of the policy. */
  readonly key: string;
  readonly value: string;
}

interface CompiledValidation {
  readonly validation: Validation;
  readonly expression: Expression;
  readonly message: Expression | undefined;
}

interface CompiledAnnotation {
  readonly key: string;
  readonly expression: Expression;
}

const nothing: Verdict = { failures: [], errors: [], annotations: [] };
const maxMessageBytes = 5 * 1024;

/** The compiled expressions of a ValidatingAdmissionPolicy. */
export class Validator {
  readonly #policy: CompiledPolicy;
  readonly #validations: readonly CompiledValidation[];
  readonly #annotations: readonly CompiledAnnotation[];
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
    this.#annotations = auditAnnotations.map(({ key, valueExpression: text }) => ({
      key,
      expression: { text, compiled: compiler.compile(text, 'string or null') },
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
      return { ...this.#annotate(input), failures };
    } catch (error) {
      if (!(error instanceof OutOfBudgetError)) throw error;
      return this.#failed(error.message);
    }
  }

  #failed(message: string): Verdict {
    return this.#isIgnored ? nothing : { ...nothing, failures: [{ message, index: 0 }] };
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

  /** An annotation without a text is left out, and with the failure policy `Ignore` also one that cannot be computed. */
  #annotate(input: ExpressionInput): Omit<Verdict, 'failures'> {
    if (this.#annotations.length === 0) return nothing;
    const budget: CostBudget = { left: policyBudget };
    const scope = new ExpressionScope({ ...input, authorizer: undefined }, this.#policy.variables);
    const errors: string[] = [];
    const annotations: AuditValue[] = [];
    for (const { key, expression } of this.#annotations) {
      const result = evaluateExpression(expression, scope, budget);
      if ('error' in result) errors.push(result.error);
      else if (typeof result.value === 'string' && result.value.trim() !== '')
        annotations.push({ key, value: result.value.trim() });
    }
    return { errors: this.#isIgnored ? [] : errors, annotations };
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
  if ('error' in result) return { message: result.error, index, isError: true };
  if (messages instanceof OutOfBudgetError)
    return { message: `failed messageExpression: ${messages.message}`, index, isError: true };
  if (result.value === true) return undefined;
  const text =
    computedMessage(messages[index]) || message.trim() || `failed expression: ${expression.trim()}`;
  return { message: text, index, isError: false, ...(reason !== undefined && { reason }) };
}

/** Empty when there is none, or it cannot be shown on one line. */
function computedMessage(evaluated: Evaluated | undefined): string {
  if (!evaluated || 'error' in evaluated || typeof evaluated.value !== 'string') return '';
  const text = evaluated.value.trim();
  return text.includes('\n') || Buffer.byteLength(text) > maxMessageBytes ? '' : text;
}
