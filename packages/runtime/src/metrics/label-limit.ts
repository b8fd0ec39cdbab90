/** The maximum number of values, as in controller-runtime; further values share one time series. */
const capacity = 25;

/** controller-runtime's name for the values beyond the limit. */
const beyond = 'exceeded_cardinality_limit';

/**
 * Bounds the number of values of a label whose values come from outside: each of them keeps a time series for the life
 * of the process, here and in Prometheus.
 */
export class LabelLimit {
  readonly #values = new Set<string>();

  /** Returns the value, or `exceeded_cardinality_limit` for new values after the 25th. */
  bound(value: string): string {
    if (this.#values.has(value)) return value;
    if (this.#values.size >= capacity) return beyond;
    this.#values.add(value);
    return value;
  }
}
