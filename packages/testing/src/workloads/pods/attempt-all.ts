/**
 * Calls a function for each item, one after the other, also after one that failed.
 *
 * @param attempt returns undefined for what takes no time: with hundreds of items, promises would take most of it
 * @throws the first error, after the last call
 */
export async function attemptAll<T>(
  items: Iterable<T>,
  attempt: (item: T) => Promise<unknown> | undefined,
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) {
    const attempted = attempt(item);
    if (attempted) await attempted.catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}
