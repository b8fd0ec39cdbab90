import type { CelResult, CelValue } from './cel-value.ts';
import { equalsNonNull } from './equals.ts';
import { noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';
import { JsonChildren } from './json-children.ts';
import type { FromJson } from './json-children.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { CelMap } from './map.ts';

/** A JSON object whose values have one schema; without a schema they are invisible. */
export class JsonMap extends CelMap {
  readonly json: Readonly<Record<string, unknown>>;
  readonly #schema: StructuralSchema | undefined;
  readonly #children: JsonChildren<string>;
  #names: readonly string[] | undefined;

  constructor(
    json: Readonly<Record<string, unknown>>,
    schema: StructuralSchema | undefined,
    fromJson: FromJson,
  ) {
    super();
    this.json = json;
    this.#schema = schema;
    this.#children = new JsonChildren(fromJson);
  }

  protected get names(): readonly string[] {
    return (this.#names ??= Object.keys(this.json));
  }

  /** Invisible properties count, too. */
  get size(): number {
    return this.names.length;
  }

  find(key: CelValue): CelResult | undefined {
    if (typeof key !== 'string') return noSuchOverload();
    return Object.hasOwn(this.json, key) && this.#schema
      ? this.#children.convert(key, this.json[key], this.#schema)
      : undefined;
  }

  keys(): readonly string[] {
    return this.#schema ? this.names : [];
  }

  override equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof CelMap)) return noSuchOverload();
    if (this.size !== other.size) return false;
    for (const key of this.keys()) {
      const theirs = other.find(key);
      const equal = theirs !== undefined && equalsNonNull(this.find(key)!, theirs);
      if (equal !== true) return equal;
    }
    return true;
  }
}
