/** As many values as controller-runtime tells apart; further ones are no longer worth a time series each. */
const capacity = 25;

/** What controller-runtime calls the values beyond the limit. */
const beyond = 'exceeded_cardinality_limit';

/**
 * Bounds the number of values of a label whose values come from outside: a time series is kept for each of them for
 * the life of the process, here and in Prometheus.
 */
export class LabelLimit {
  readonly #values = new Set<string>();

  /** The value, or `exceeded_cardinality_limit` for those that come after the 25th. */
  bound(value: string): string {
    if (this.#values.has(value)) return value;
    if (this.#values.size >= capacity) return beyond;
    this.#values.add(value);
    return value;
  }
}
