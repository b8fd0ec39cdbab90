import type { CelResult, CelValue } from './cel-value.ts';
import { Duration } from './duration.ts';
import { equalsNonNull } from './equals.ts';
import { isError, noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';
import { JsonChildren } from './json-children.ts';
import type { FromJson } from './json-children.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { CelList } from './list.ts';
import { toJson } from './to-json.ts';

/** A JSON array whose items have one schema. */
export class JsonList extends CelList {
  readonly json: readonly unknown[];
  protected readonly schema: StructuralSchema;
  protected readonly fromJson: FromJson;
  readonly #children: JsonChildren<number>;

  constructor(json: readonly unknown[], schema: StructuralSchema, fromJson: FromJson) {
    super();
    this.json = json;
    this.schema = schema;
    this.fromJson = fromJson;
    this.#children = new JsonChildren(fromJson);
  }

  override get zero(): CelValue {
    if (this.schema.format === 'duration') return new Duration(0n);
    return this.schema.type === 'number' ? 0 : 0n;
  }

  get size(): number {
    return this.json.length;
  }

  at(index: number): CelResult {
    return this.#children.convert(index, this.json[index], this.schema);
  }

  /** The items of the other list become items of this one, with its schema. */
  override concat(other: CelList): CelList {
    return super.concat(
      other instanceof JsonList ? other : new ConvertedList(other, this.schema, this.fromJson),
    );
  }

  override contains(value: CelValue): CelResult {
    let error: CelEvaluationError | undefined;
    for (const item of this) {
      const equal = equalsNonNull(item, value);
      if (equal === true) return true;
      if (isError(equal)) error ??= equal;
    }
    return error ?? false;
  }

  override equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof CelList)) return noSuchOverload();
    if (this.size !== other.size) return false;
    for (let i = 0; i < this.size; i++) {
      const equal = equalsNonNull(this.at(i), other.at(i));
      if (equal !== true) return equal;
    }
    return true;
  }
}

/** A list from an expression whose items are read by a schema, as in the API server; items without a JSON form become errors. */
class ConvertedList extends CelList {
  readonly #list: CelList;
  readonly #schema: StructuralSchema;
  readonly #fromJson: FromJson;

  constructor(list: CelList, schema: StructuralSchema, fromJson: FromJson) {
    super();
    this.#list = list;
    this.#schema = schema;
    this.#fromJson = fromJson;
  }

  get size(): number {
    return this.#list.size;
  }

  at(index: number): CelResult {
    const item = this.#list.at(index);
    if (isError(item)) return item;
    const json = item === null ? null : (toJson(item) ?? item);
    return this.#fromJson(json, this.#schema);
  }
}

/** The items of any list as JSON, to be put into a JSON list. */
export function jsonItems(list: CelList): readonly unknown[] {
  if (list instanceof JsonList) return list.json;
  return Array.from(list, (item) => (isError(item) ? undefined : toJson(item)));
}
