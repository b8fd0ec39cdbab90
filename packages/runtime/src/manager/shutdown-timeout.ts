import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { RuntimeError } from '../errors/runtime-error.ts';
import type { ManagerOptions } from './manager-options.ts';

/**
 * Converts a `gracefulShutdownTimeout` to milliseconds; Infinity waits for as long as it takes.
 * @throws {UsageError} when it is not a duration.
 */
export function shutdownTimeoutOf(timeout: ManagerOptions['gracefulShutdownTimeout'] = '30s'): number {
  const isNegative = typeof timeout === 'number' ? timeout < 0 : /^-\d/.test(timeout);
  return timeout === 'infinite' || isNegative ? Infinity : toMilliseconds(timeout);
}

/** Something was still running when the time to stop the manager was up. */
export class ShutdownTimeoutError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'SHUTDOWN_TIMEOUT';

  /** @param running the names of the parts that were still running. */
  constructor(milliseconds: number, running: readonly string[] = []) {
    super(
      `The manager did not stop within ${milliseconds / 1000} s` +
        (running.length > 0 ? `; still running: ${running.join(', ')}` : ''),
      'Pass context.signal to everything that waits in a reconciler, or raise gracefulShutdownTimeout.',
    );
  }
}
