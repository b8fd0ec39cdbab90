/**
 * Appends items to a list. The spread in `list.push(...items)` would put all items on the stack, which overflows
 * at about a hundred thousand: fewer than a body can hold.
 */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
