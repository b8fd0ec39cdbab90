/** Applies a merge patch (RFC 7396) to a copy of a value. */
export function mergePatched(target: any, patch: any): any {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result = typeof target === 'object' && target !== null ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatched(result[key], value);
  }
  return result;
}
