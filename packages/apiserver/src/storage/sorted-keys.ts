/** Keys in the order of their bytes, with a quick way to those of one prefix. */
export class SortedKeys {
  readonly #keys: string[] = [];

  /** Adds a key that is not in here yet. */
  add(key: string): void {
    this.#keys.splice(this.#lowerBound(key), 0, key);
  }

  delete(key: string): void {
    const index = this.#lowerBound(key);
    if (this.#keys[index] === key) this.#keys.splice(index, 1);
  }

  *startingWith(prefix: string): Generator<string> {
    for (let index = this.#lowerBound(prefix); index < this.#keys.length; index += 1) {
      const key = this.#keys[index] ?? '';
      if (!key.startsWith(prefix)) return;
      yield key;
    }
  }

  #lowerBound(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
