import type { StructuralSchema } from '../schema/structural-schema.ts';
import { keyText } from '../values/key-text.ts';

type Finder = (item: unknown) => unknown;

/** All items of a list look up their old ones. */
const finders = new WeakMap<object, Map<string, Finder>>();

/**
 * Finds the old items of a list. Those of `x-kubernetes-list-type: map` have keys; others cannot be correlated.
 *
 * @returns a function from an item to the old one; undefined when there was none
 */
export function correlateItems(schema: StructuralSchema, old: unknown): Finder {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] !== 'map' || keys.length === 0 || !Array.isArray(old))
    return () => undefined;
  const byKeys = finders.get(old) ?? new Map<string, Finder>();
  finders.set(old, byKeys);
  const name = JSON.stringify(keys);
  const finder = byKeys.get(name) ?? makeFinder(old, keys);
  byKeys.set(name, finder);
  return finder;
}

function makeFinder(old: readonly unknown[], keys: readonly string[]): Finder {
  const byKey = new Map<string, unknown>();
  for (const item of old) {
    const key = keyOf(item, keys);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return (item) => {
    const key = keyOf(item, keys);
    return key === undefined ? undefined : byKey.get(key);
  };
}

/** Undefined for an item that lacks a key or has one that is not a scalar. */
function keyOf(item: unknown, keys: readonly string[]): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const values = keys.map((key) =>
    Object.hasOwn(item, key) ? (item as Record<string, unknown>)[key] : undefined,
  );
  return values.every(isScalar) ? keyText(values) : undefined;
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}
