import { isJsonObject } from '../schema/schema.ts';
import type { Json } from '../schema/schema.ts';

/**
 * Applies a merge patch (RFC 7386). For a webhook without conditions this is also what Kubernetes' strategic
 * merge patch does, except for its `$` directives.
 */
export function applyPatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const result = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, applyPatch(result.get(key), value));
  }
  return Object.fromEntries(result);
}
