/** A JSON value whose keys are in order: that of a real server is not that in which they were sent. */
export function withSortedKeys(value: any): any {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, withSortedKeys(value[key])]),
  );
}
