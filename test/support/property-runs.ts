/** How much more `npm run test:thorough` tries than `npm test`. */
const factor = Number(process.env['PROPERTY_FACTOR'] ?? 1);

/** Whether the test belongs to `npm run test:thorough`. */
export const isThorough: boolean = factor > 1;

/** @param usual how many values `npm test` tries; more of them find more */
export function propertyRuns(usual: number): number {
  return usual * factor;
}
