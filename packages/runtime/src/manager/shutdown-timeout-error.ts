import { RuntimeError } from '../errors/runtime-error.ts';

/** The manager was to stop, and something was still running when the time was up. */
export class ShutdownTimeoutError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'SHUTDOWN_TIMEOUT';

  /** @param running the names of what was still running. */
  constructor(milliseconds: number, running: readonly string[] = []) {
    super(
      `the manager did not stop within ${milliseconds / 1000} s` +
        (running.length > 0 ? `; still running: ${running.join(', ')}` : ''),
      'Pass context.signal to everything that waits in a reconciler, or raise gracefulShutdownTimeout.',
    );
  }
}
