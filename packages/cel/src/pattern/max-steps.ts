/** The maximum number of steps of a match: about a second. */
export const maxSteps = 5_000_000;
