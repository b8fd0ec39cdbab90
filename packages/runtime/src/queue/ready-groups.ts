import { Heap, type HeapItem } from './heap.ts';
import { type ReadyItem, ReadyList } from './ready-list.ts';

/** What can be handed out, and the group that it belongs to: undefined for those without one. */
export interface GroupedItem extends ReadyItem {
  readonly group: string | undefined;
}

/** The ready items of one group, and how many of its items are handed out. */
interface Group<T extends GroupedItem> extends HeapItem {
  readonly name: string | undefined;
  readonly list: ReadyList<T>;
  running: number;
  /** Its place among the groups with the same priority: the lowest is next. */
  turn: number;
}

/**
 * Items by priority, the highest first. Groups take turns within a priority: a group with many items delays one with a
 * single item by one turn. A group with as many items handed out as it may have waits for one of them.
 */
export class ReadyGroups<T extends GroupedItem> {
  readonly #limit: number;
  readonly #groups = new Map<string | undefined, Group<T>>();
  /** Those that can hand out an item. */
  readonly #open = new Heap<Group<T>>(isBefore);
  #length = 0;
  #lastTurn = 0;

  /** @param limit how many items of a group may be handed out at the same time. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  /** What is next; undefined if no group can hand out anything. */
  get first(): T | undefined {
    return this.#open.first?.list.first;
  }

  /** How many items there are of each priority. */
  lengths(): Map<number, number> {
    const lengths = new Map<number, number>();
    for (const { list } of this.#groups.values())
      for (const [priority, length] of list.lengths())
        lengths.set(priority, (lengths.get(priority) ?? 0) + length);
    return lengths;
  }

  /** Puts the item in its place. */
  add(item: T): void {
    const group = this.#group(item.group);
    if (group.list.length === 0) group.turn = this.#lastTurn += 1;
    group.list.add(item);
    this.#length += 1;
    // Behind others it changes nothing between the groups.
    if (group.list.first === item) this.#place(group);
  }

  /** Takes the item out of the line. It must be there, with the priority that it was added with. */
  remove(item: T): void {
    const group = this.#group(item.group);
    group.list.remove(item);
    this.#length -= 1;
    this.#place(group);
  }

  /** Takes the item out of the line, as `remove`, and hands it out. */
  handOut(item: T): void {
    const group = this.#group(item.group);
    group.running += 1;
    group.turn = this.#lastTurn += 1;
    this.remove(item);
  }

  /** An item that was handed out is done or put aside. */
  ended(item: T): void {
    const group = this.#group(item.group);
    group.running -= 1;
    if (group.heapIndex < 0) this.#place(group);
  }

  /** Forgets the items that are in line. */
  clear(): void {
    for (const group of this.#groups.values()) group.list.clear();
    this.#open.clear();
    this.#length = 0;
  }

  #group(name: string | undefined): Group<T> {
    const existing = this.#groups.get(name);
    if (existing) return existing;
    const group: Group<T> = { name, list: new ReadyList(), running: 0, turn: 0, heapIndex: -1 };
    this.#groups.set(name, group);
    return group;
  }

  /**
   * Puts the group in its place after a change. Groups come and go; only the items without one, which most queues have alone,
   * keep theirs.
   */
  #place(group: Group<T>): void {
    this.#open.remove(group);
    if (group.list.length > 0) {
      if (group.running < this.#limit) this.#open.add(group);
    } else if (group.running === 0 && group.name !== undefined) this.#groups.delete(group.name);
  }
}

function isBefore<T extends GroupedItem>(a: Group<T>, b: Group<T>): boolean {
  const [first, second] = [a.list.first!.priority, b.list.first!.priority];
  return first === second ? a.turn < b.turn : first > second;
}
