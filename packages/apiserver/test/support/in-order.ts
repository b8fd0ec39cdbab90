/** A body with its keys sorted, to compare it as text: the order in which a server writes them does not matter. */
export function inOrder(value: any): any {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, inOrder(item)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
