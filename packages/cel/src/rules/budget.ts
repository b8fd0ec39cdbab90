/** What one expression of a rule may cost, times how often its value can occur. */
export const EXPRESSION_BUDGET = 10_000_000n;

/** What all expressions of one version's schema may cost together. */
export const SCHEMA_BUDGET = 100_000_000n;
