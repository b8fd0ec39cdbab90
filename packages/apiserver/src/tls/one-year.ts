const dayMs = 24 * 60 * 60 * 1000;

/** The validity of a certificate: one year, and a day before, because clocks of other machines may be slow. */
export function oneYear(now: Date): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - dayMs), notAfter: new Date(now.getTime() + 365 * dayMs) };
}
