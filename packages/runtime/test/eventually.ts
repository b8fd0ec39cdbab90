import { setImmediate as turn } from 'node:timers/promises';

/** Shorter than the time limit of a test, whose error would not say what the test waits for. */
const patienceMs = 60_000;

/** Waits, turn by turn of the event loop, until the condition holds. */
export async function eventually(condition: () => boolean, message = 'the condition'): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`${message} never held`);
    await turn();
  }
}
