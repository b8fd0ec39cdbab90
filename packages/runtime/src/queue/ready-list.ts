import { Heap, type HeapItem } from './heap.ts';

/** Something that can be handed out. The list owns all but `priority` and `order`. */
export interface ReadyItem {
  priority: number;
  /** Its place within the priority: the lowest leaves first. */
  order: number;
  previous: ReadyItem | undefined;
  next: ReadyItem | undefined;
}

/** The items of one priority: a linked list, from whose middle an item is taken at no cost. */
interface Bucket extends HeapItem {
  readonly priority: number;
  first: ReadyItem | undefined;
  last: ReadyItem | undefined;
  length: number;
}

/** Items by priority, the highest first, and in their order within a priority. */
export class ReadyList<T extends ReadyItem> {
  readonly #buckets = new Map<number, Bucket>();
  readonly #byPriority = new Heap<Bucket>((a, b) => a.priority > b.priority);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): T | undefined {
    return this.#byPriority.first?.first as T | undefined;
  }

  /** How many items there are of each priority. */
  lengths(): Map<number, number> {
    return new Map([...this.#buckets.values()].map(({ priority, length }) => [priority, length]));
  }

  /** Puts the item in its place. Costs a step for each item of its priority that comes after it. */
  add(item: T): void {
    const bucket = this.#bucket(item.priority);
    let previous = bucket.last;
    while (previous && previous.order > item.order) previous = previous.previous;
    const next = previous ? previous.next : bucket.first;
    item.previous = previous;
    item.next = next;
    if (previous) previous.next = item;
    else bucket.first = item;
    if (next) next.previous = item;
    else bucket.last = item;
    bucket.length += 1;
    this.#length += 1;
  }

  /** The item must be in the list, with the priority that it was added with. */
  remove(item: T): void {
    const bucket = this.#buckets.get(item.priority)!;
    const { previous, next } = item;
    if (previous) previous.next = next;
    else bucket.first = next;
    if (next) next.previous = previous;
    else bucket.last = previous;
    item.previous = undefined;
    item.next = undefined;
    bucket.length -= 1;
    this.#length -= 1;
    // The number of priorities over time is unbounded: empty ones are removed.
    if (bucket.length > 0) return;
    this.#buckets.delete(bucket.priority);
    this.#byPriority.remove(bucket);
  }

  clear(): void {
    this.#buckets.clear();
    this.#byPriority.clear();
    this.#length = 0;
  }

  #bucket(priority: number): Bucket {
    const existing = this.#buckets.get(priority);
    if (existing) return existing;
    const bucket: Bucket = { priority, first: undefined, last: undefined, length: 0, heapIndex: -1 };
    this.#buckets.set(priority, bucket);
    this.#byPriority.add(bucket);
    return bucket;
  }
}
