/** What one expression of a rule may cost, times how often its value can occur. */
export const expressionBudget = 10_000_000n;

/** What all expressions of one version's schema may cost together. */
export const schemaBudget = 100_000_000n;
