/**
 * Returns a value as canonical JSON: maps are objects and keys are sorted, so equal content is equal text.
 */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    const entries =
      part instanceof Map
        ? [...part]
        : typeof part === 'object' && part !== null && !Array.isArray(part)
          ? Object.entries(part)
          : undefined;
    return entries ? Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) : part;
  });
}
