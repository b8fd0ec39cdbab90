import type { CelResult, CompiledExpression, ExpressionError } from 'ots-cel';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { VersionedRequest } from '../admission/versioned-request.ts';
import type { Authorizer as ServerAuthorizer } from '../authorization/authorizer.ts';
import { cel } from '../crd/rules/cel.ts';
import type { ApiObject } from '../json/api-object.ts';
import { authorizerValues } from './authorizer-value.ts';
import { namespaceValue, requestValue } from './request-value.ts';

/** What expressions about a request see. */
export interface ExpressionInput extends VersionedRequest {
  readonly params?: ApiObject | undefined;
  /** The namespace of the request, where expressions see it. */
  readonly namespace?: ApiObject | undefined;
  /** Undefined where expressions cannot ask. */
  readonly authorizer: ServerAuthorizer | undefined;
}

/** The compiled variables of a policy, by name. */
export type CompiledVariables = ReadonlyMap<string, CompiledExpression | ExpressionError>;

/** The maximum number of loop iterations of all expressions in one scope, about some seconds. */
const maxIterations = 10_000_000;

/** The values of variables for a group of expressions. The variables of a policy are computed once for the group. */
export class ExpressionScope {
  readonly values: Readonly<Record<string, CelResult>>;
  readonly iterations = { left: maxIterations };
  #variablesCost = 0;

  constructor(input: ExpressionInput, variables: CompiledVariables = new Map()) {
    const { fromPlainJson, LazyMap } = cel();
    const { attributes, object, oldObject, params, namespace, authorizer } = input;
    const compute = new Map([...variables].map(([name, one]) => [name, () => this.#compute(name, one)]));
    this.values = {
      object: fromPlainJson(object ?? null),
      oldObject: fromPlainJson(oldObject ?? null),
      params: fromPlainJson(params ?? null),
      request: fromPlainJson(requestValue(input)),
      namespaceObject: fromPlainJson(namespace ? namespaceValue(namespace) : null),
      variables: new LazyMap(compute),
      ...(authorizer && authorizerValues(authorizer, attributes)),
    };
  }

  /** The cost of the variables that were computed since the last call. */
  takeVariablesCost(): number {
    const cost = this.#variablesCost;
    this.#variablesCost = 0;
    return cost;
  }

  #compute(name: string, variable: CompiledExpression | ExpressionError): CelResult {
    const { CelEvaluationError } = cel();
    const described = `composited variable ${goQuote(name)} fails to`;
    if ('error' in variable) return new CelEvaluationError(`${described} compile: ${variable.error}`);
    const { value, cost } = variable.program.evaluate(this.values, { iterations: this.iterations });
    this.#variablesCost += cost;
    if (!(value instanceof CelEvaluationError)) return value;
    return new CelEvaluationError(`${described} evaluate: ${value.message}`);
  }
}
