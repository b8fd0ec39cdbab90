/** How many milliseconds work continues before requests get their turn. */
const slice = 8;

/** Work to do after the pending requests are answered. An item that is added again before its turn is done once. */
export class WorkQueue<Item> {
  readonly #handle: (item: Item) => void;
  readonly #pending = new Map<string, Item>();
  #turn: NodeJS.Immediate | undefined;
  #isStopped = false;

  /** @param handle processes one item. When it throws, the item is dropped and the process emits a warning. */
  constructor(handle: (item: Item) => void) {
    this.#handle = handle;
  }

  add(key: string, item: Item): void {
    if (this.#isStopped) return;
    this.#pending.set(key, item);
    this.#turn ??= setImmediate(() => this.#work());
  }

  /** Drops all work. */
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
