/** More steps than this are not worth a match: about a second. */
export const maxSteps = 5_000_000;
