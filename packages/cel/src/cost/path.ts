/** A list in memory that several paths may share the start of. */
interface Backing {
  readonly names: string[];
  readonly capacity: number;
}

/**
 * Where in the schema a value is: a variable, then the names of fields, `@items`, `@values`, `@keys` and `@indices`.
 *
 * cel-go keeps paths in slices of Go, and appends to one path more than once, so that the later name takes the place of the earlier one whenever
 * the slice has room. The estimates of an API server depend on that; so the room of a path is that of a slice here.
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
