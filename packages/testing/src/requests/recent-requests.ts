import type { RecordedRequest } from 'ots-apiserver';

/** The last requests, up to a number: the oldest make room for the newest. */
export class RecentRequests {
  readonly #limit: number;
  readonly #requests: RecordedRequest[] = [];
  #added = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many had to make room. */
  get dropped(): number {
    return this.#added - this.#requests.length;
  }

  add(request: RecordedRequest): void {
    this.#requests[this.#added % this.#limit] = request;
    this.#added += 1;
  }

  /** In the order in which they were added. */
  all(): RecordedRequest[] {
    const first = this.dropped % this.#limit;
    return [...this.#requests.slice(first), ...this.#requests.slice(0, first)];
  }

  clear(): void {
    this.#requests.length = 0;
    this.#added = 0;
  }
}
