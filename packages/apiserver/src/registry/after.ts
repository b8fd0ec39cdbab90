/** A promise only when there is something to wait for. */
export type Waiting = Promise<void> | undefined;

/**
 * Continues once a promise is fulfilled; at once if there is nothing to wait for. So what waits for nothing stays
 * synchronous.
 */
export function after<Next>(
  waiting: Promise<unknown> | undefined,
  next: () => Next,
): Next | Promise<Awaited<Next>> {
  return waiting ? whenDone(waiting, next) : next();
}

async function whenDone<Next>(waiting: Promise<unknown>, next: () => Next): Promise<Awaited<Next>> {
  await waiting;
  return await next();
}

/** The end of some work, without its result. */
export function settled(result: unknown): Waiting {
  return result instanceof Promise ? result.then(() => {}) : undefined;
}

/** Runs a step for each item, one after the other, and waits only for the steps that have to wait. */
export function inSequence<Item>(items: Iterator<Item>, step: (item: Item) => Waiting): Waiting {
  for (let next = items.next(); !next.done; next = items.next()) {
    const waiting = step(next.value);
    if (waiting) return waiting.then(() => inSequence(items, step));
  }
  return undefined;
}
