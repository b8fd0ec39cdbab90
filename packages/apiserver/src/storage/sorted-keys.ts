/** A block with more keys is split, which bounds the cost of an insertion. */
const maxBlockLength = 512;

/** Keys in byte order, kept in blocks, with fast access to the keys with a prefix. */
export class SortedKeys {
  readonly #blocks: string[][] = [];

  /** Adds a key that is not in the set yet. */
  add(key: string): void {
    // A key greater than all others belongs at the end of the last block.
    const index = Math.min(this.#blockOf(key), Math.max(this.#blocks.length - 1, 0));
    const block = this.#blocks[index];
    if (!block) {
      this.#blocks.push([key]);
      return;
    }
    block.splice(lowerBound(block, key), 0, key);
    if (block.length > maxBlockLength) this.#blocks.splice(index + 1, 0, block.splice(maxBlockLength / 2));
  }

  delete(key: string): void {
    const index = this.#blockOf(key);
    const block = this.#blocks[index];
    if (!block) return;
    const position = lowerBound(block, key);
    if (block[position] === key) block.splice(position, 1);
    if (block.length === 0) this.#blocks.splice(index, 1);
  }

  /** The keys with a prefix, starting at `from`. */
  *startingWith(prefix: string, from = ''): Generator<string> {
    const first = from > prefix ? from : prefix;
    let index = this.#blockOf(first);
    let position = lowerBound(this.#blocks[index] ?? [], first);
    for (let block = this.#blocks[index]; block; block = this.#blocks[(index += 1)], position = 0) {
      for (; position < block.length; position += 1) {
        const key = block[position] ?? '';
        if (!key.startsWith(prefix)) return;
        yield key;
      }
    }
  }

  /** The number of keys that {@link startingWith} yields. */
  count(prefix: string, from = ''): number {
    // No character of a key is greater: keys are names.
    return Math.max(0, this.#rank(`${prefix}\uffff`) - this.#rank(from > prefix ? from : prefix));
  }

  /** The number of keys before a text. */
  #rank(text: string): number {
    const index = this.#blockOf(text);
    let before = 0;
    for (const block of this.#blocks.slice(0, index)) before += block.length;
    return before + lowerBound(this.#blocks[index] ?? [], text);
  }

  /** The first block whose last key is not before a text. */
  #blockOf(text: string): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#blocks[middle]?.at(-1) ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function lowerBound(keys: readonly string[], text: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
