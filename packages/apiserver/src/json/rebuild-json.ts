import { isObject, setKey } from './json-object.ts';

/**
 * Rebuilds a JSON value from the top down. Works without recursion, so nesting cannot exhaust the stack.
 *
 * @param rebuild returns the replacement of a value: a new map or list that still holds the old values, or a
 *   scalar
 */
export function rebuildJson(value: unknown, rebuild: (value: unknown) => unknown): unknown {
  const rebuildOne = (old: unknown) => {
    const made = rebuild(old);
    if (typeof made === 'object' && made !== null) open.push(made);
    return made;
  };
  const open: unknown[] = [];
  const root = rebuildOne(value);
  for (const container of open) {
    if (Array.isArray(container)) {
      for (const [index, item] of container.entries()) container[index] = rebuildOne(item);
    } else if (isObject(container)) {
      for (const key of Object.keys(container)) setKey(container, key, rebuildOne(container[key]));
    }
  }
  return root;
}
