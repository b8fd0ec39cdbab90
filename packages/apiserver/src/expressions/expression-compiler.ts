import type { CelType, CompiledExpression, ExpressionError, ExpressionResult } from 'ots-cel';
import { cel } from '../crd/rules/cel.ts';

/** What one expression may use that others of its policy may not. */
interface Extras {
  /** Default true. */
  readonly authorizer?: boolean;
  /** Default false. */
  readonly createsObjects?: boolean;
}

/** Compiles the expressions of a policy or of the conditions of a webhook. */
export class ExpressionCompiler {
  readonly #params: boolean;
  readonly #variables: Map<string, CelType> | undefined;

  /**
   * @param params whether the expressions may use `params`. Default false
   * @param composed whether they may use `variables`. Default false
   */
  constructor({ params = false, composed = false }: { params?: boolean; composed?: boolean } = {}) {
    this.#params = params;
    this.#variables = composed ? new Map() : undefined;
  }

  compile(
    text: string,
    result: ExpressionResult,
    { authorizer = true, createsObjects = false }: Extras = {},
  ): CompiledExpression | ExpressionError {
    const { compileExpression, requestEnvironment } = cel();
    const environment = requestEnvironment({
      params: this.#params,
      authorizer,
      createsObjects,
      ...(this.#variables && { variables: this.#variables }),
    });
    return compileExpression(text, environment, result);
  }

  /** Compiles the expression of a variable. Later expressions can use it; if it is broken, it may be anything. */
  compileVariable({
    name,
    expression,
  }: {
    name: string;
    expression: string;
  }): ReturnType<typeof this.compile> {
    const { variableType, anyType } = cel();
    const compiled = this.compile(expression, 'any');
    this.#variables?.set(name, 'type' in compiled ? variableType(compiled.type) : anyType);
    return compiled;
  }
}
