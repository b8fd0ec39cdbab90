import { afterEach, expect, test, vi } from 'vitest';
import { type ShutdownSignal, shutdownSignal } from './shutdown-signal.ts';

const names = ['SIGINT', 'SIGTERM'] as const;
const listeners = (): number[] => names.map((name) => process.listenerCount(name));
const before = listeners();
let signal: ShutdownSignal | undefined;

afterEach(() => {
  signal?.[Symbol.dispose]();
  vi.restoreAllMocks();
});

test.each(names)('%s aborts it once; the next signal ends the process', (name) => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  signal = shutdownSignal();
  expect(signal.aborted).toBe(false);
  process.emit(name, name);
  expect(signal.aborted).toBe(true);
  expect(signal.reason).toMatchObject({ name: 'AbortError', message: `received ${name}` });
  expect(exit).not.toHaveBeenCalled();
  process.emit('SIGTERM', 'SIGTERM');
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
});

test('a second call is an error, until the first is disposed of', () => {
  signal = shutdownSignal();
  expect(() => shutdownSignal()).toThrow('shutdownSignal was called twice');
  signal[Symbol.dispose]();
  expect(listeners()).toEqual(before);
  signal = shutdownSignal();
  expect(listeners()).toEqual(before.map((count) => count + 1));
});
