import type { Change } from './object-store.ts';

/** Returns the values under which an index finds an object: none, one or several. */
export type IndexFunction<T> = (object: T) => readonly string[];

interface Index<T> {
  values: IndexFunction<T>;
  byValue: Map<string, Set<T>>;
}

const nothing: ReadonlySet<never> = new Set<never>();

/** Finds objects by values that are computed from them, and is updated with every change. */
export class ObjectIndexes<T> {
  readonly #indexes = new Map<string, Index<T>>();

  get names(): string[] {
    return [...this.#indexes.keys()];
  }

  /** Adds an index over existing and future objects. The function must not throw. */
  add(name: string, values: IndexFunction<T>, objects: Iterable<T>): void {
    const index: Index<T> = { values, byValue: new Map() };
    this.#indexes.set(name, index);
    for (const object of objects) insert(index, object);
  }

  /** The objects with a value; undefined if the index does not exist. */
  find(name: string, value: string): ReadonlySet<T> | undefined {
    const index = this.#indexes.get(name);
    return index && (index.byValue.get(value) ?? nothing);
  }

  /** True if the object has the value; it does not need to be in the index. */
  has(name: string, object: T, value: string): boolean {
    return this.#indexes.get(name)?.values(object).includes(value) ?? false;
  }

  apply(changes: readonly Change<T>[]): void {
    if (this.#indexes.size === 0) return;
    for (const change of changes) {
      if (change.type === 'updated') this.remove(change.oldObject);
      if (change.type === 'deleted' || change.type === 'uncached') this.remove(change.object);
      else for (const index of this.#indexes.values()) insert(index, change.object);
    }
  }

  /** Removes an object. It must be the same object that was added, because its values are computed again. */
  remove(object: T): void {
    for (const { values, byValue } of this.#indexes.values()) {
      for (const value of values(object)) {
        const found = byValue.get(value);
        found?.delete(object);
        if (found?.size === 0) byValue.delete(value);
      }
    }
  }
}

function insert<T>({ values, byValue }: Index<T>, object: T): void {
  for (const value of values(object)) {
    const found = byValue.get(value);
    if (found) found.add(object);
    else byValue.set(value, new Set([object]));
  }
}
