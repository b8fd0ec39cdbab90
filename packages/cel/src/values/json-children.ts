import type { CelResult } from './cel-value.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';

/** Converts a JSON value. Passed in, so the classes of values do not depend on the conversion. */
export type FromJson = (json: unknown, schema: StructuralSchema) => CelResult;

/** The converted objects and lists of a value: loops read the same ones again and again. */
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
