import { setImmediate as turn } from 'node:timers/promises';

/** Waits, turn by turn of the event loop, until the condition holds. */
export async function eventually(condition: () => boolean, message = 'the condition'): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`${message} never held`);
    await turn();
  }
}
