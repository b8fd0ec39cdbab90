import { UsageError } from '../errors/usage-error.ts';

/** A JSON object. */
type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON merge patch (RFC 7386) that turns `base` into `draft`: null for fields that are missing, undefined or
 * null in the draft, whole lists, and nothing for equal values. Undefined when nothing differs.
 */
export function mergePatchBetween(base: object, draft: object): Record<string, unknown> | undefined {
  return objectPatch(base as Json, draft as Json);
}

/** Returns true when two JSON values are equal; an undefined field counts as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  return isObject(a) && isObject(b) && sameFields(a, b);
}

/** Makes no set of all names: a reconcile compares whole objects, which are mostly equal. */
function sameFields(a: Json, b: Json): boolean {
  for (const key of Object.keys(a)) if (!sameJson(a[key], own(b, key))) return false;
  for (const key of Object.keys(b)) if (b[key] !== undefined && !Object.hasOwn(a, key)) return false;
  return true;
}

/** True for a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value of an own field; ignores inherited ones such as `constructor`. */
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
 * Makes a merge patch one for an object that was read: the server refuses it for another object that has the same name now, and, with
 * `optimisticLock`, if the object has changed since.
 * @throws {UsageError} when the object was not read from the server, and so has no resource version to lock.
 */
export function patchOf(
  { uid, resourceVersion }: { readonly uid?: string; readonly resourceVersion?: string },
  patch: Record<string, unknown>,
  optimisticLock = false,
): Record<string, unknown> {
  if (optimisticLock && resourceVersion === undefined) {
    throw new UsageError(
      'An object without a resourceVersion cannot be patched with optimisticLock',
      'Pass the object as the server returned it.',
    );
  }
  const metadata = isObject(patch['metadata']) ? patch['metadata'] : {};
  const read = { ...(uid !== undefined && { uid }), ...(optimisticLock && { resourceVersion }) };
  return Object.keys(read).length > 0 ? { ...patch, metadata: { ...metadata, ...read } } : patch;
}
