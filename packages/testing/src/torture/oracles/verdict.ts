/** What an oracle says about a run. */
export interface Verdict {
  /** Its name, such as `converges`. */
  readonly oracle: string;
  /** One line each. */
  readonly details: readonly string[];
}

/** @returns nothing without details */
export function verdictOf(oracle: string, details: readonly string[]): Verdict[] {
  return details.length > 0 ? [{ oracle, details }] : [];
}
