/** The cost limit of one expression of a rule, multiplied by how often its value can occur. */
export const expressionBudget = 10_000_000n;

/** The cost limit of all expressions in one version's schema together. */
export const schemaBudget = 100_000_000n;
