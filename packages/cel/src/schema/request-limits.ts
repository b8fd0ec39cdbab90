/**
 * JSON sizes in bytes by which the API server bounds values without limits in the schema. Constants of
 * `k8s.io/apiserver/pkg/cel/limits.go`.
 */
const maxRequestSize = 3 * 1024 * 1024;
export const maxString = maxRequestSize - 2;
export const maxTime = 32;
export const dateSize = 12;
export const minDateTime = 21;
export const minDuration = 3;
export const minString = 2;
export const minBool = 4;
export const minNumber = 1;
export const minContainer = 2;

/** The maximum number of items of a list without maxItems, each with a comma. */
export function maxItemsOf(minItemSize: number): number {
  return Math.floor((maxRequestSize - 2) / (minItemSize + 1));
}

/** The maximum number of entries of a map without maxProperties: keys of two letters in quotes, a colon and a comma. */
export function maxEntriesOf(minValueSize: number): number {
  return Math.floor((maxRequestSize - 2) / (minValueSize + 6));
}

/** How often a value can occur below unbounded lists and maps. */
export function maxOccurrencesOf(minSize: number): bigint {
  return BigInt(Math.floor(maxRequestSize / (minSize + 1)));
}
