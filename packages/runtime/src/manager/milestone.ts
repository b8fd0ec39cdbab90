/** Something that happens once, or never. */
export class Milestone {
  /** Resolves when it happens; rejects when it is certain that it will not. */
  readonly promise: Promise<void>;
  #settle!: { resolve: () => void; reject: (error: unknown) => void };
  #isReached = false;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Without a waiting caller, failures are reported elsewhere.
    this.promise.catch(() => {});
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  reach(): void {
    this.#isReached = true;
    this.#settle.resolve();
  }

  /** Rejects the milestone, unless it has already happened. */
  miss(error: unknown): void {
    this.#settle.reject(error);
  }
}
