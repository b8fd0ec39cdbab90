/** Ends an evaluation that exceeds its budget. */
export class BudgetExceededError extends Error {
  readonly code = 'budget-exceeded';

  constructor(message: string) {
    super(message);
    this.name = 'BudgetExceededError';
  }
}

/** The remaining loop iterations without a cost; an object, so evaluations can share it. */
export interface IterationBudget {
  left: number;
}

/** Adds up the cost of an evaluation, in the API server's units. */
export class Meter {
  readonly #limit: number;
  readonly #iterations: IterationBudget;
  #cost = 0;

  constructor(limit: number, iterations: IterationBudget) {
    this.#limit = limit;
    this.#iterations = iterations;
  }

  get cost(): number {
    return this.#cost;
  }

  /** @throws BudgetExceededError when the cost exceeds the budget */
  add(cost: number): void {
    this.#cost += cost;
    if (this.#cost > this.#limit)
      throw new BudgetExceededError('operation cancelled: actual cost limit exceeded');
  }

  /**
   * Counts a loop iteration. The API server has a deadline instead, because an iteration may be free.
   *
   * @throws BudgetExceededError when there are too many
   */
  countIteration(): void {
    if (--this.#iterations.left < 0) throw new BudgetExceededError('operation interrupted');
  }
}
