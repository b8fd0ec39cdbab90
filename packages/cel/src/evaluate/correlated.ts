import { deepEqual } from '../values/deep-equal.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { correlateItems } from './correlate-items.ts';

/**
 * A value and its old value from before an update, as far as the schema correlates parts of the old and the new
 * object. Follows the rules of `k8s.io/apiserver/pkg/cel/common/equality.go`.
 */
export class Correlated {
  readonly value: unknown;
  readonly old: unknown;
  readonly #schema: StructuralSchema;
  readonly #children = new Map<string | number, Correlated | undefined>();
  #unchanged: boolean | undefined;

  /** @param schema the structural schema of both values */
  constructor(schema: StructuralSchema, value: unknown, old: unknown) {
    this.#schema = schema;
    this.value = value;
    this.old = old;
  }

  /** Whether nothing changed. The order of a list with keys does not matter; a value without a schema counts as changed. */
  get unchanged(): boolean {
    // Many parts may ask for their enclosing one.
    return (this.#unchanged ??= this.#compare());
  }

  /**
   * For a property or an item.
   *
   * @returns undefined for a child that is new, or that has no schema
   */
  child(key: string | number): Correlated | undefined {
    if (!this.#children.has(key))
      this.#children.set(key, typeof key === 'number' ? this.#item(key) : this.#property(key));
    return this.#children.get(key);
  }

  #property(name: string): Correlated | undefined {
    const { value, old } = this;
    if (!isObject(value) || !isObject(old) || !Object.hasOwn(value, name) || !Object.hasOwn(old, name))
      return undefined;
    const { properties, additionalProperties } = this.#schema;
    const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const schema = own ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    return schema && new Correlated(schema, value[name], old[name]);
  }

  #item(index: number): Correlated | undefined {
    const { value, old } = this;
    const { items } = this.#schema;
    if (!Array.isArray(value) || index >= value.length || !items) return undefined;
    const oldItem: unknown = correlateItems(this.#schema, old)(value[index]);
    return oldItem === undefined ? undefined : new Correlated(items, value[index], oldItem);
  }

  #compare(): boolean {
    const { value, old } = this;
    if (Array.isArray(value) && Array.isArray(old)) {
      if (this.#schema['x-kubernetes-list-type'] !== 'map') return deepEqual(value, old);
      return value.length === old.length && value.every((_, index) => this.child(index)?.unchanged === true);
    }
    if (!isObject(value) || !isObject(old)) return value === old;
    const names = Object.keys(value);
    if (names.length !== Object.keys(old).length) return false;
    return names.every((name) => this.child(name)?.unchanged === true);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
