/** More steps than this are not worth a match: about a second. */
export const MAX_STEPS = 5_000_000;
