const initialMs = 1000;
const maxMs = 15 * 60_000;

/** Delays the deletion of pods that fail again and again on a node: from one second to 15 minutes, doubled each time. */
export class FailedPodBackoff {
  readonly #entries = new Map<string, { delay: number; since: number }>();

  /** How long a deletion must wait, in milliseconds; 0 if it may happen, which counts. @param now in milliseconds since 1970 */
  next(key: string, now: number): number {
    const last = this.#entries.get(key);
    const isKnown = last !== undefined && now - last.since <= 2 * maxMs;
    if (isKnown && now - last.since < last.delay) return last.delay;
    this.#entries.set(key, { delay: isKnown ? Math.min(2 * last.delay, maxMs) : initialMs, since: now });
    return 0;
  }
}
