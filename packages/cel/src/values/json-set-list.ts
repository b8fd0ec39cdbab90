import type { CelValue } from './cel-value.ts';
import { noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';
import { JsonList, jsonItems } from './json-list.ts';
import { CelList } from './list.ts';

/** An array of `x-kubernetes-list-type: set`: its order does not matter, and `+` is a union. */
export class JsonSetList extends JsonList {
  #set: ReadonlySet<unknown> | undefined;

  get #items(): ReadonlySet<unknown> {
    return (this.#set ??= new Set(this.json));
  }

  override concat(other: CelList): CelList {
    const added = [...new Set(jsonItems(other))].filter((item) => !this.#items.has(item));
    return new JsonSetList([...this.json, ...added], this.schema, this.fromJson);
  }

  override equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof CelList)) return noSuchOverload();
    return this.size === other.size && jsonItems(other).every((item) => this.#items.has(item));
  }
}
