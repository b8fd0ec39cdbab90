/** A value as JSON in which equal content is equal text: maps are objects, and keys are sorted. */
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
