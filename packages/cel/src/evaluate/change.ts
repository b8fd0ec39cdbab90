import type { StructuralSchema } from '../schema/structural-schema.ts';
import { deepEqual } from '../values/deep-equal.ts';
import { correlateItems } from './correlate-items.ts';

/** A value and what it was. */
interface Correlated {
  readonly schema: StructuralSchema;
  readonly value: unknown;
  readonly old: unknown;
}

const sameness = new WeakMap<Correlated, boolean>();

/** Whether a part of an object is as it was. What fails in such a part did so before, and the API server lets it pass. */
export class Change {
  readonly #current: Correlated | undefined;
  /** The closest part around this one of which is known what it was. */
  readonly #around: Correlated | undefined;

  private constructor(current: Correlated | undefined, around: Correlated | undefined) {
    this.#current = current;
    this.#around = around;
  }

  static ofRoot(schema: StructuralSchema, value: unknown, old: unknown): Change {
    return new Change(old === undefined ? undefined : { schema, value, old }, undefined);
  }

  get none(): boolean {
    const judged = this.#current ?? this.#around;
    if (!judged) return false;
    // Rules of many parts may ask for the one around them.
    const known = sameness.get(judged);
    if (known !== undefined) return known;
    const result = isSame(judged);
    sameness.set(judged, result);
    return result;
  }

  /** Of a property or an item. */
  ofChild(key: string | number): Change {
    if (!this.#current) return this;
    // The two versions are converted to the same one before they are compared.
    if (!this.#around && (key === 'apiVersion' || key === 'kind')) return new Change(undefined, undefined);
    return new Change(correlatedChild(this.#current, key), this.#current);
  }

  /** For the rules of an `allOf`, which look at what is around alone. */
  ofAllOf(): Change {
    return new Change(undefined, this.#around);
  }
}

/** Undefined for a child that was not there, or that no schema describes. */
function correlatedChild({ schema, value, old }: Correlated, key: string | number): Correlated | undefined {
  if (typeof key === 'number') {
    if (!Array.isArray(value) || !schema.items) return undefined;
    const oldItem: unknown = correlateItems(schema, old)(value[key]);
    return oldItem === undefined ? undefined : { schema: schema.items, value: value[key], old: oldItem };
  }
  if (!isObject(value) || !isObject(old) || !Object.hasOwn(value, key) || !Object.hasOwn(old, key))
    return undefined;
  const { properties, additionalProperties } = schema;
  const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const childSchema = own ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  return childSchema && { schema: childSchema, value: value[key], old: old[key] };
}

/** The order of a list with keys does not matter; what no schema describes counts as changed. */
function isSame(part: Correlated): boolean {
  const { schema, value, old } = part;
  if (Array.isArray(value) && Array.isArray(old)) {
    if (schema['x-kubernetes-list-type'] !== 'map') return deepEqual(value, old);
    const oldItemOf = correlateItems(schema, old);
    const sameItem = (item: unknown) => {
      const oldItem = oldItemOf(item);
      return oldItem !== undefined && isSame({ schema: schema.items ?? {}, value: item, old: oldItem });
    };
    return value.length === old.length && value.every(sameItem);
  }
  if (!isObject(value) || !isObject(old)) return value === old;
  const names = Object.keys(value);
  if (names.length !== Object.keys(old).length) return false;
  return names.every((name) => {
    const child = correlatedChild(part, name);
    return child !== undefined && isSame(child);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
