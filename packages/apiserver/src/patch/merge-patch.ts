import { type JsonObject, isObject, setKey } from '../json/json-object.ts';
import { withoutNulls } from './without-nulls.ts';

/** A field that is still to be patched. */
interface Unpatched {
  readonly parent: JsonObject;
  readonly key: string;
  readonly target: unknown;
  readonly patch: unknown;
}

/**
 * Applies a JSON merge patch (RFC 7396). Changes neither argument. Works without recursion, so nesting cannot
 * exhaust the stack. As in kube-apiserver's library, maps inside of a list also lose their nulls, unless the list
 * replaces a map.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  const root: JsonObject = {};
  const open: Unpatched[] = [{ parent: root, key: 'result', target, patch }];
  for (const field of open) setKey(field.parent, field.key, mergeField(field, open));
  return root['result'];
}

/** @param open receives the fields of maps, to be patched later */
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
