/** Something that becomes due. */
export interface Delayed {
  /** Monotonic time in milliseconds. */
  readyAt: number;
  /** Where the heap keeps it; -1 when it is not in one. Owned by the heap. */
  heapIndex: number;
}

/** A binary min-heap by due time from which any item can be removed. Items of the same time leave in any order. */
export class DelayHeap<T extends Delayed> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  /** The item that is due first. */
  get first(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    this.#place(item, this.#items.length);
    this.#up(item);
  }

  /** Does nothing when the item is not in the heap. */
  remove(item: T): void {
    const index = item.heapIndex;
    if (index < 0) return;
    item.heapIndex = -1;
    const last = this.#items.pop()!;
    if (last === item) return;
    this.#place(last, index);
    this.#up(last);
    this.#down(last);
  }

  #place(item: T, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }

  #up(item: T): void {
    while (item.heapIndex > 0) {
      const index = item.heapIndex;
      const parentIndex = (index - 1) >> 1;
      const parent = this.#items[parentIndex]!;
      if (parent.readyAt <= item.readyAt) return;
      this.#place(parent, index);
      this.#place(item, parentIndex);
    }
  }

  #down(item: T): void {
    for (;;) {
      const index = item.heapIndex;
      let childIndex = 2 * index + 1;
      if (childIndex >= this.#items.length) return;
      const right = this.#items[childIndex + 1];
      if (right && right.readyAt < this.#items[childIndex]!.readyAt) childIndex += 1;
      const child = this.#items[childIndex]!;
      if (item.readyAt <= child.readyAt) return;
      this.#place(child, index);
      this.#place(item, childIndex);
    }
  }
}
