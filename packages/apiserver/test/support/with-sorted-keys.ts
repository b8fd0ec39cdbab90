/** A JSON value with its keys sorted. A real server does not keep the order in which a client sent them. */
export function withSortedKeys(value: any): any {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, withSortedKeys(value[key])]),
  );
}
