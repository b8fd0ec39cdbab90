import { RuntimeError } from '../errors/runtime-error.ts';

/** The manager was to stop, and something was still running when the time was up. */
export class ShutdownTimeoutError extends RuntimeError {
  readonly code = 'SHUTDOWN_TIMEOUT';

  constructor(milliseconds: number) {
    super(
      `the manager did not stop within ${milliseconds / 1000} s`,
      'Pass context.signal to everything that waits in a reconciler, or raise gracefulShutdownTimeout.',
    );
  }
}
