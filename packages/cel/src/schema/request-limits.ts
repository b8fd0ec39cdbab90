/** Sizes in bytes of JSON, by which an API server bounds what a schema does not. Facts of `k8s.io/apiserver/pkg/cel/limits.go`. */
const MAX_REQUEST_SIZE = 3 * 1024 * 1024;
export const MAX_STRING = MAX_REQUEST_SIZE - 2;
export const MAX_TIME = 32;
export const DATE_SIZE = 12;
export const MIN_DATE_TIME = 21;
export const MIN_DURATION = 3;
export const MIN_STRING = 2;
export const MIN_BOOL = 4;
export const MIN_NUMBER = 1;
export const MIN_CONTAINER = 2;

/** The most items of a list without maxItems, each with a comma. */
export function maxItemsOf(minItemSize: number): number {
  return Math.floor((MAX_REQUEST_SIZE - 2) / (minItemSize + 1));
}

/** The most entries of a map without maxProperties: keys of two letters in quotes, a colon and a comma. */
export function maxEntriesOf(minValueSize: number): number {
  return Math.floor((MAX_REQUEST_SIZE - 2) / (minValueSize + 6));
}

/** How often a value can occur below lists and maps without bounds. */
export function maxOccurrencesOf(minSize: number): bigint {
  return BigInt(Math.floor(MAX_REQUEST_SIZE / (minSize + 1)));
}
