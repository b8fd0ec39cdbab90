import { isObject, setKey } from '../objects/json-object.ts';
import { withoutNulls } from './without-nulls.ts';

/**
 * Applies a JSON merge patch (RFC 7396). Neither argument is changed.
 *
 * As the library of the real server has it, a list also loses what is null in the maps that it holds, unless it takes the place of a map.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(target)) return withoutNulls(patch);
  if (!isObject(patch)) return patch;
  const result = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else setKey(result, key, applyMergePatch(Object.hasOwn(result, key) ? result[key] : undefined, value));
  }
  return result;
}
