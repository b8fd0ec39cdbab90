/** Why an expression has no value. It is a value itself: operators decide whether it matters. */
export class CelEvaluationError {
  /** In the words of the API server, such as `no such key: name`. */
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The error about arguments of the wrong type. */
export function noSuchOverload(): CelEvaluationError {
  return new CelEvaluationError('no such overload');
}

/** Whether a result is an error. */
export function isError(result: unknown): result is CelEvaluationError {
  return result instanceof CelEvaluationError;
}
