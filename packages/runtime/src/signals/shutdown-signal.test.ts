import { expect, test } from 'vitest';
import { shutdownSignal } from './shutdown-signal.ts';

const names = ['SIGINT', 'SIGTERM'] as const;
const listeners = (): number[] => names.map((name) => process.listenerCount(name));
const before = listeners();

test.each(names)('%s aborts it once; the next signal ends the process as if nobody listened', (name) => {
  const signal = shutdownSignal();
  expect(signal.aborted).toBe(false);
  expect(listeners()).toEqual(before.map((count) => count + 1));
  process.emit(name, name);
  expect(signal.aborted).toBe(true);
  expect(signal.reason).toMatchObject({ name: 'AbortError', message: `received ${name}` });
  // Without a listener of ours, the system's default action is back.
  expect(listeners()).toEqual(before);
});
