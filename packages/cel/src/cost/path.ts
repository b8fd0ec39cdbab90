/** A list in memory whose start several paths may share. */
interface Backing {
  readonly names: string[];
  readonly capacity: number;
}

/**
 * The position of a value in the schema: a variable, then field names, `@items`, `@values`, `@keys` and
 * `@indices`. cel-go stores paths in Go slices and appends to one path more than once, so a later name replaces an
 * earlier one whenever the slice has capacity. The API server's estimates depend on that, so paths here have the
 * capacity of a slice.
 */
export class Path {
  static readonly none = new Path({ names: [], capacity: 0 }, 0);
  readonly #backing: Backing;
  readonly #length: number;

  private constructor(backing: Backing, length: number) {
    this.#backing = backing;
    this.#length = length;
  }

  get names(): readonly string[] {
    return this.#backing.names.slice(0, this.#length);
  }

  /** Whether the value is not in the schema. */
  get isNone(): boolean {
    return this.#length === 0;
  }

  /** The same path, with room for one name that no other path shares. */
  copy(): Path {
    return new Path({ names: [...this.names], capacity: this.#length + 1 }, this.#length);
  }

  append(name: string): Path {
    const { names, capacity } = this.#backing;
    if (this.#length < capacity) {
      names[this.#length] = name;
      return new Path(this.#backing, this.#length + 1);
    }
    return new Path({ names: [...this.names, name], capacity: Math.max(1, capacity * 2) }, this.#length + 1);
  }
}
