/** An item of a heap. */
export interface HeapItem {
  /** Its index in the heap; -1 if it is not in one. Owned by the heap. */
  heapIndex: number;
}

/** A binary heap from which any item can be removed. Items of equal rank leave in any order. */
export class Heap<T extends HeapItem> {
  readonly #items: T[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  /** The item that is before all others. */
  get first(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    this.#place(item, this.#items.length);
    this.#up(item);
  }

  /** Does nothing if the item is not in the heap. */
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

  clear(): void {
    for (const item of this.#items) item.heapIndex = -1;
    this.#items.length = 0;
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
      if (!this.#isBefore(item, parent)) return;
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
      if (right && this.#isBefore(right, this.#items[childIndex]!)) childIndex += 1;
      const child = this.#items[childIndex]!;
      if (!this.#isBefore(child, item)) return;
      this.#place(child, index);
      this.#place(item, childIndex);
    }
  }
}
