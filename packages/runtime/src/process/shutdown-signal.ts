import { UsageError } from '../errors/usage-error.ts';

const names = ['SIGINT', 'SIGTERM'] as const;
/** Marks our listeners, so a second call finds those of the first. */
const mark = Symbol.for('ots-runtime.shutdownSignal');

/** The signal, and a way to stop listening. */
export type ShutdownSignal = AbortSignal & Disposable;

/**
 * Returns a signal that aborts at the first SIGINT or SIGTERM, for `manager.start`. The second one ends the process at
 * once, with exit code 1. Call it once, at the start of the program; tests dispose of it with
 * `signal[Symbol.dispose]()`.
 * @throws {UsageError} when an earlier signal has not been disposed of.
 */
export function shutdownSignal(): ShutdownSignal {
  if (process.listeners('SIGTERM').some((listener) => mark in listener)) {
    throw new UsageError('shutdownSignal was called twice', 'Call it once and share the signal.');
  }
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    // Necessary for the first process of a container: the kernel has no default action for its signals.
    if (controller.signal.aborted) process.exit(1);
    controller.abort(new DOMException(`received ${name}`, 'AbortError'));
  };
  const listener = Object.assign(stop, { [mark]: true });
  for (const name of names) process.on(name, listener);
  return Object.assign(controller.signal, {
    [Symbol.dispose]: () => {
      for (const name of names) process.off(name, listener);
    },
  });
}
