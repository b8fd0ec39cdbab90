const waiting: (() => void)[] = [];

/**
 * Waits for a turn. Each round of the event loop resumes one waiter, and handles the requests that arrived
 * meanwhile. Long work that takes turns delays short work by one part at most.
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
