/** Milliseconds of work between two looks at the network. */
const slice = 8;

/** Work that is done after the requests at hand are answered. What is added twice before its turn is done once. */
export class WorkQueue<Item> {
  readonly #handle: (item: Item) => void;
  readonly #pending = new Map<string, Item>();
  #turn: NodeJS.Immediate | undefined;
  #isStopped = false;

  /** @param handle does one piece of work. When it throws, that piece is given up and the process is warned. */
  constructor(handle: (item: Item) => void) {
    this.#handle = handle;
  }

  add(key: string, item: Item): void {
    if (this.#isStopped) return;
    this.#pending.set(key, item);
    this.#turn ??= setImmediate(() => this.#work());
  }

  /** Nothing is done any more. */
  stop(): void {
    this.#isStopped = true;
    this.#pending.clear();
    clearImmediate(this.#turn);
  }

  #work(): void {
    const end = performance.now() + slice;
    for (const [key, item] of this.#pending) {
      this.#pending.delete(key);
      try {
        this.#handle(item);
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
      if (performance.now() > end) break;
    }
    this.#turn = this.#pending.size > 0 ? setImmediate(() => this.#work()) : undefined;
  }
}
