/** Code that never stops to take turns does not hold up the rest. */
const maxTurns = 10_000;

/** Those that wait. Shared, because each would otherwise take the turns of the others for work. */
let waiting: (() => void)[] = [];

/** Waits until all code of this process waits for time, for a delivery, or for something outside of the event loop. */
export function drained(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(() => turn(1));
  });
}

/** Promises and ticks are done before an immediate runs, so only other immediates can be left. */
function turn(turns: number): void {
  if (turns < maxTurns && process.getActiveResourcesInfo().includes('Immediate')) {
    setImmediate(() => turn(turns + 1));
    return;
  }
  const resolved = waiting;
  waiting = [];
  for (const resolve of resolved) resolve();
}
