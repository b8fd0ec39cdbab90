import { escapeProperty, unescapeProperty } from '../escape-property.ts';
import type { CelResult, CelValue } from './cel-value.ts';
import { deepEqual } from './deep-equal.ts';
import { equalsNonNull } from './equals.ts';
import { noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';
import { JsonChildren } from './json-children.ts';
import type { FromJson } from './json-children.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { CelMap } from './map.ts';

/** A JSON object with declared properties, which rules access by their escaped names. Other properties are invisible. */
export class JsonObject extends CelMap {
  readonly json: Readonly<Record<string, unknown>>;
  readonly #properties: Readonly<Record<string, StructuralSchema>>;
  readonly #children: JsonChildren<string>;
  #names: readonly string[] | undefined;

  constructor(
    json: Readonly<Record<string, unknown>>,
    properties: Readonly<Record<string, StructuralSchema>>,
    fromJson: FromJson,
  ) {
    super();
    this.json = json;
    this.#properties = properties;
    this.#children = new JsonChildren(fromJson);
  }

  get #ownNames(): readonly string[] {
    return (this.#names ??= Object.keys(this.json));
  }

  get size(): number {
    return this.#ownNames.length;
  }

  find(key: CelValue): CelResult | undefined {
    if (typeof key !== 'string') return noSuchOverload();
    const name = unescapeProperty(key);
    if (name === undefined || !Object.hasOwn(this.json, name) || !this.#isDeclared(name)) return undefined;
    const json = this.json[name];
    // A null property counts as absent.
    return json === null ? undefined : this.#children.convert(name, json, this.#properties[name]!);
  }

  keys(): string[] {
    return this.#ownNames
      .filter((name) => this.#isDeclared(name))
      .map((name) => escapeProperty(name) ?? name);
  }

  override equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof CelMap)) return noSuchOverload();
    if (this.size !== other.size) return false;
    for (const name of this.#ownNames) {
      const equal = this.#isDeclared(name)
        ? this.#equalProperty(name, other)
        : this.#equalUnknown(name, other);
      if (equal !== true) return equal;
    }
    return true;
  }

  /** The API server looks up properties by their unescaped names here, so escaped ones are not compared. */
  #equalProperty(name: string, other: CelMap): boolean | CelEvaluationError {
    const mine = this.find(name);
    const theirs = other.find(name);
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return equalsNonNull(mine, theirs);
  }

  #equalUnknown(name: string, other: CelMap): boolean | CelEvaluationError {
    if (!('json' in other)) return noSuchOverload();
    const json = other.json as Readonly<Record<string, unknown>>;
    return !Object.hasOwn(json, name) || deepEqual(this.json[name], json[name]);
  }

  #isDeclared(name: string): boolean {
    return Object.hasOwn(this.#properties, name);
  }
}
