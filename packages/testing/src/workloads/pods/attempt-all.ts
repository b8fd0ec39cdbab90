/**
 * Calls a function for each item, one after the other, also after one that failed.
 *
 * @throws the first error, after the last call
 */
export async function attemptAll<T>(
  items: Iterable<T>,
  attempt: (item: T) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await attempt(item).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
