/** Ends an evaluation that costs more than it may. */
export class BudgetExceeded extends Error {
  readonly code = 'budget-exceeded';

  constructor(message: string) {
    super(message);
    this.name = 'BudgetExceeded';
  }
}

/** Rounds of loops that may cost nothing; an object, so that evaluations can share it. */
export interface IterationBudget {
  left: number;
}

/** Adds up what an evaluation costs, in the units of the API server. */
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

  /** @throws BudgetExceeded when it is too much */
  add(cost: number): void {
    this.#cost += cost;
    if (this.#cost > this.#limit) throw new BudgetExceeded('operation cancelled: actual cost limit exceeded');
  }

  /**
   * Counts a round of a loop. The API server has a deadline instead, because a round need not cost anything.
   * @throws BudgetExceeded when there were too many
   */
  countIteration(): void {
    if (--this.#iterations.left < 0) throw new BudgetExceeded('operation interrupted');
  }
}
