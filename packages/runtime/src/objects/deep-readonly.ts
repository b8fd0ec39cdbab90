/** A deeply read-only `T`: the type of objects from the cache, which shares them instead of copying. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** Deeply freezes plain JSON: a write to a shared object throws at the faulty line. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    // Strings and numbers, which most fields are, need no call.
    for (const child of Object.values(value)) if (typeof child === 'object') deepFreeze(child);
  }
  return value;
}
