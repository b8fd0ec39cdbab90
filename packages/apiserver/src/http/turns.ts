const waiting: (() => void)[] = [];

/**
 * Waits for a turn. Of all who wait, one goes on in each round of the event loop, and in between the requests that have
 * arrived meanwhile are handled: long work that takes turns keeps short work waiting for one part of it at most.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}
