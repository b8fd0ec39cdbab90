import { getKey, isObject } from './json-object.ts';

/** Whether a JSON value lacks something that another one has, other than null and empty lists and objects. */
export function lacksValue(value: unknown, other: unknown): boolean {
  // A list instead of recursion: values may be nested deeper than the stack.
  const open: [value: unknown, other: unknown][] = [[value, other]];
  for (const [one, full] of open) {
    if (Array.isArray(full))
      for (const [index, item] of full.entries())
        open.push([Array.isArray(one) ? one[index] : undefined, item]);
    else if (isObject(full))
      for (const key of Object.keys(full))
        open.push([isObject(one) ? getKey(one, key) : undefined, full[key]]);
    else if ((full ?? null) !== null && (one ?? null) === null) return true;
  }
  return false;
}
