import type { CelResult } from './cel-value.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';

/** Converts a JSON value; passed in, so that the classes that hold values need not know how. */
export type FromJson = (json: unknown, schema: StructuralSchema) => CelResult;

/** The converted objects and lists of a value: loops ask for the same ones again and again. */
export class JsonChildren<Key> {
  readonly #fromJson: FromJson;
  readonly #known = new Map<Key, CelResult>();

  constructor(fromJson: FromJson) {
    this.#fromJson = fromJson;
  }

  convert(key: Key, json: unknown, schema: StructuralSchema): CelResult {
    if (typeof json !== 'object' || json === null) return this.#fromJson(json, schema);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const value = this.#fromJson(json, schema);
    this.#known.set(key, value);
    return value;
  }
}
