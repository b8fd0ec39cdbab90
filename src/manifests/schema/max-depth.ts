/** Deeper types and schemas help nobody, and the limit bounds every recursion over them. */
export const MAX_DEPTH = 100;
