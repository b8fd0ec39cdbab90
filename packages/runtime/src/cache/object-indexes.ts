import type { Change } from './object-store.ts';

/** The values under which an object is found in an index: none, one or several. */
export type IndexFunction<T> = (object: T) => readonly string[];

interface Index<T> {
  values: IndexFunction<T>;
  byValue: Map<string, Set<T>>;
}

const nothing: ReadonlySet<never> = new Set<never>();

/** Finds objects by values that are computed from them, kept up to date with every change. */
export class ObjectIndexes<T> {
  readonly #indexes = new Map<string, Index<T>>();

  get names(): string[] {
    return [...this.#indexes.keys()];
  }

  /** Adds an index over what is there and what will come. The function must not throw. */
  add(name: string, values: IndexFunction<T>, objects: Iterable<T>): void {
    const index: Index<T> = { values, byValue: new Map() };
    this.#indexes.set(name, index);
    for (const object of objects) insert(index, object);
  }

  /** The objects of a value; undefined when there is no index of this name. */
  find(name: string, value: string): ReadonlySet<T> | undefined {
    const index = this.#indexes.get(name);
    return index && (index.byValue.get(value) ?? nothing);
  }

  /** True when the object, which may be one that the indexes do not hold, has the value. */
  has(name: string, object: T, value: string): boolean {
    return this.#indexes.get(name)?.values(object).includes(value) ?? false;
  }

  apply(changes: readonly Change<T>[]): void {
    if (this.#indexes.size === 0) return;
    for (const change of changes) {
      if (change.type === 'updated') this.remove(change.oldObject);
      if (change.type === 'deleted') this.remove(change.object);
      else for (const index of this.#indexes.values()) insert(index, change.object);
    }
  }

  /** Takes an object out: the very one that was put in, since its values are computed again. */
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
