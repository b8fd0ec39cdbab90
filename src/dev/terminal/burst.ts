import type { Clock } from 'ots-apimachinery/clock/clock';

/** What is limited together, such as `{ noun: 'reconcile', of: 'memcached' }`. */
export interface Topic {
  readonly noun: string;
  readonly of?: string;
}

interface Window {
  readonly topic: Topic;
  readonly end: number;
  printed: number;
  held: number;
  /** The last that was held about each subject. */
  readonly latest: Map<string, () => void>;
}

const windowMs = 1000;
const maxPerWindow = 10;

/**
 * Prints the first ten things about a topic in a second. Counts the others, prints the count at the end of the second, and then the
 * latest about each subject, because it is what is true now, if these are not too many too.
 */
export class Burst {
  readonly #clock: Clock;
  readonly #summarize: (text: string) => void;
  readonly #windows = new Map<string, Window>();
  #timer: unknown;

  /** @param summarize prints a count, such as `… 214 more reconciles of memcached in 1 s` */
  constructor(clock: Clock, summarize: (text: string) => void) {
    this.#clock = clock;
    this.#summarize = summarize;
  }

  /** @param subject whose latest state is worth a line; undefined when the count is enough */
  add(topic: Topic, subject: string | undefined, print: () => void): void {
    const key = `${topic.noun} ${topic.of ?? ''}`;
    const window = this.#windowOf(key, topic);
    if (window.printed < maxPerWindow) {
      window.printed++;
      print();
      return;
    }
    window.held++;
    if (subject !== undefined) {
      window.latest.delete(subject);
      window.latest.set(subject, print);
    }
    this.#timer ??= this.#clock.setTimeout(() => this.#closeWindows(), window.end - this.#clock.now());
  }

  /** Prints what it holds. */
  flush(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const window of this.#windows.values()) this.#release(window);
    this.#windows.clear();
  }

  #windowOf(key: string, topic: Topic): Window {
    const open = this.#windows.get(key);
    // One that holds something is open until its timer fires.
    if (open && (open.end > this.#clock.now() || open.held > 0)) return open;
    const window = { topic, end: this.#clock.now() + windowMs, printed: 0, held: 0, latest: new Map() };
    this.#windows.set(key, window);
    return window;
  }

  #closeWindows(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    for (const [key, window] of this.#windows) {
      if (window.end > now) continue;
      this.#windows.delete(key);
      this.#release(window);
    }
    const ends = [...this.#windows.values()].filter(({ held }) => held > 0).map(({ end }) => end);
    if (ends.length > 0) {
      this.#timer = this.#clock.setTimeout(() => this.#closeWindows(), Math.max(0, Math.min(...ends) - now));
    }
  }

  #release({ topic, held, latest }: Window): void {
    if (held === 0) return;
    const shown = latest.size <= maxPerWindow ? [...latest.values()] : [];
    const count = held - shown.length;
    const of = topic.of === undefined ? '' : ` of ${topic.of}`;
    if (count > 0) {
      this.#summarize(`… ${count} more ${topic.noun}${count === 1 ? '' : 's'}${of} in ${windowMs / 1000} s`);
    }
    for (const print of shown) print();
  }
}
