/**
 * Appends items to a list. A spread argument, `list.push(...items)`, would put all of them on the stack, which bears about a hundred
 * thousand: fewer than a body can hold.
 */
export function appendAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
