import { UsageError } from '../errors/usage-error.ts';

/** A JSON object. */
type Json = Readonly<Record<string, unknown>>;

/**
 * The JSON merge patch (RFC 7386) that makes `draft` of `base`: null for what the draft lacks or has as undefined or
 * null, lists whole, and nothing for what is equal. Undefined when nothing differs.
 */
export function mergePatchBetween(base: object, draft: object): Record<string, unknown> | undefined {
  return objectPatch(base as Json, draft as Json);
}

/** True when two JSON values are the same; a field that is undefined is as good as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  return isObject(a) && isObject(b) && [...keysOf(a, b)].every((key) => sameJson(own(a, key), own(b, key)));
}

/** True for a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a field; what an object inherits, such as `constructor`, is none. */
export function own(object: Json, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function objectPatch(base: Json, draft: Json): Record<string, unknown> | undefined {
  const changes: [string, unknown][] = [];
  for (const key of keysOf(base, draft)) {
    const before = own(base, key);
    const after = own(draft, key) ?? null;
    if (isObject(before) && isObject(after)) {
      const patch = objectPatch(before, after);
      if (patch) changes.push([key, patch]);
    } else if (!sameJson(before ?? null, after)) {
      changes.push([key, after]);
    }
  }
  // Not by assignment: a key may be `__proto__`.
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

function keysOf(a: Json, b: Json): Set<string> {
  return new Set([...Object.keys(a), ...Object.keys(b)]);
}

/**
 * Adds the version that was read to a merge patch: the server refuses it if the object has changed since.
 * @throws {UsageError} when the object was not read from the server, and so has no version.
 */
export function lockedPatch(
  patch: Record<string, unknown>,
  resourceVersion: string | undefined,
): Record<string, unknown> {
  if (resourceVersion === undefined) {
    throw new UsageError(
      'An object without a resourceVersion cannot be patched with optimisticLock',
      'Pass the object as the server returned it.',
    );
  }
  const metadata = isObject(patch['metadata']) ? patch['metadata'] : {};
  return { ...patch, metadata: { ...metadata, resourceVersion } };
}
