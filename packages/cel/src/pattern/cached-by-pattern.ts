/** The number of compiled patterns to keep. */
const maxCached = 100;

/**
 * Caches what is computed from patterns, because rules match the same pattern again and again. A full cache is emptied.
 *
 * @param make may throw: nothing is cached then
 */
export function cachedByPattern<Made>(make: (pattern: string) => Made): (pattern: string) => Made {
  const cache = new Map<string, Made>();
  return (pattern) => {
    const known = cache.get(pattern);
    if (known !== undefined || cache.has(pattern)) return known as Made;
    const made = make(pattern);
    if (cache.size >= maxCached) cache.clear();
    cache.set(pattern, made);
    return made;
  };
}
