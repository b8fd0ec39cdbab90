/** A JSON object with any keys. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object: not null, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own key. Inherited ones, such as `constructor`, are absent. */
export function valueOf(object: unknown, key: string): unknown {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The object at an own key; an empty one where there is none. */
export function objectAt(object: unknown, key: string): JsonObject {
  const value = valueOf(object, key);
  return isObject(value) ? value : {};
}

/** The text at an own key; empty where there is none. */
export function textOf(object: unknown, key: string): string {
  const value = valueOf(object, key);
  return typeof value === 'string' ? value : '';
}

/** Whether a value nests lists and objects deeper than a limit. Does not recurse. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item).filter(isNested) : [],
    );
  }
  return false;
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
