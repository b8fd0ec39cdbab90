/** The limit bounds every recursion over types and schemas; real ones are less deep. */
export const maxDepth = 100;
