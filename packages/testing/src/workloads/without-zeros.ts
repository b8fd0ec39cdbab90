/** Counts as the server stores them: it drops zeros from most fields, and a status with them would never equal the stored one. */
export function withoutZeros<Counts extends Record<string, number>>(counts: Counts): Partial<Counts> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<Counts>;
}
