/** What was still different after something happened. */
export interface NotConverged {
  /** What happened, such as `killed after write 2 (create deployments.apps default/web); the object is created`. */
  readonly title: string;
  readonly differences: readonly string[];
}

/** An operator did not reach the state that it reaches without disturbances. */
export class ConvergenceError extends Error {
  override readonly name = 'ConvergenceError';
  readonly code = 'NOT_CONVERGED';
  /** What to do about it. */
  readonly hint =
    'Write the reconciler so that it compares what it reads with what is wanted, and never relies on what it did before.';

  /** @param failures what happened to the operator, and what was then different */
  constructor(failures: readonly NotConverged[], count: number) {
    const lines = failures.flatMap(({ title, differences }) => [
      title,
      ...differences.map((line) => `  ${line}`),
    ]);
    super(`The operator does not converge in ${failures.length} of ${count} cases:\n${lines.join('\n')}\n`);
  }
}
