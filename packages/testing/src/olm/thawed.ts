/** A type whose fields can be changed. */
type Thawed<T> = T extends readonly (infer Item)[]
  ? Thawed<Item>[]
  : T extends object
    ? { -readonly [Field in keyof T]: Thawed<T[Field]> }
    : T;

/** A copy that can be changed. */
export function thawed<T>(object: T): Thawed<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy is not frozen
  return structuredClone(object) as Thawed<T>;
}
