import { escapeProperty } from '../escape-property.ts';
import type { CelValue } from './cel-value.ts';
import { equalsNonNull } from './equals.ts';
import { noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';
import type { FromJson } from './json-children.ts';
import { JsonList, jsonItems } from './json-list.ts';
import { keyText } from './key-text.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { CelList } from './list.ts';

/** An array of `x-kubernetes-list-type: map`: its order does not matter, and `+` replaces the items with the same keys. */
export class JsonMapList extends JsonList {
  readonly #keys: readonly string[];
  #items: ReadonlyMap<string, unknown> | undefined;

  constructor(
    json: readonly unknown[],
    schema: StructuralSchema,
    fromJson: FromJson,
    keys: readonly string[],
  ) {
    super(json, schema, fromJson);
    this.#keys = keys;
  }

  get #byKey(): ReadonlyMap<string, unknown> {
    return (this.#items ??= new Map(this.json.map((item) => [this.#keyOf(item), item])));
  }

  override concat(other: CelList): CelList {
    const items = [...this.json];
    const positions = new Map(items.map((item, i) => [this.#keyOf(item), i]));
    for (const item of jsonItems(other)) {
      const position = positions.get(this.#keyOf(item));
      if (position === undefined) items.push(item);
      else items[position] = item;
    }
    return new JsonMapList(items, this.schema, this.fromJson, this.#keys);
  }

  override equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof CelList)) return noSuchOverload();
    if (this.size !== other.size) return false;
    const theirs = jsonItems(other);
    for (let i = 0; i < theirs.length; i++) {
      const key = this.#keyOf(theirs[i]);
      if (!this.#byKey.has(key)) return false;
      const equal = equalsNonNull(this.fromJson(this.#byKey.get(key), this.schema), other.at(i));
      if (equal !== true) return equal;
    }
    return true;
  }

  /** The API server looks up escaped names here, so keys that need an escape do not count. */
  #keyOf(item: unknown): string {
    const object = typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {};
    const values = this.#keys
      .map((key) => escapeProperty(key) ?? key)
      .map((name) => (Object.hasOwn(object, name) ? object[name] : null));
    return keyText(values);
  }
}
