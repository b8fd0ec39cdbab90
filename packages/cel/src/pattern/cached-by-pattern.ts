/** How many compiled patterns are kept. */
const maxCached = 100;

/**
 * Keeps what is made of patterns; the last ones are kept, because rules match the same pattern again and again.
 * @param make may throw: nothing is kept then
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
