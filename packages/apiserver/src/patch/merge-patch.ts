import { type JsonObject, isObject, setKey } from '../json/json-object.ts';
import { withoutNulls } from './without-nulls.ts';

/** A field that is to be patched. */
interface Unpatched {
  readonly parent: JsonObject;
  readonly key: string;
  readonly target: unknown;
  readonly patch: unknown;
}

/**
 * Applies a JSON merge patch (RFC 7396). Neither argument is changed. It uses no recursion, so nesting cannot exhaust the stack.
 *
 * As the library of the real server has it, a list also loses what is null in the maps that it holds, unless it takes the place of a map.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  const root: JsonObject = {};
  const open: Unpatched[] = [{ parent: root, key: 'result', target, patch }];
  for (const field of open) setKey(field.parent, field.key, mergeField(field, open));
  return root['result'];
}

/** @param open takes the fields of a map, which are patched later */
function mergeField({ target, patch }: Unpatched, open: Unpatched[]): unknown {
  if (!isObject(target)) return withoutNulls(patch);
  if (!isObject(patch)) return patch;
  const result = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const old = Object.hasOwn(result, key) ? result[key] : undefined;
    if (value === null) delete result[key];
    else open.push({ parent: result, key, target: old, patch: value });
  }
  return result;
}
