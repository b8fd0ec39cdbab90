import type { ManagerOptions } from './manager-options.ts';
import { toMilliseconds } from '../duration/to-milliseconds.ts';

/**
 * Milliseconds of a `gracefulShutdownTimeout`; Infinity when it is to wait for as long as it takes.
 * @throws {UsageError} when it is not a duration.
 */
export function shutdownTimeoutOf(timeout: ManagerOptions['gracefulShutdownTimeout'] = '30s'): number {
  const isNegative = typeof timeout === 'number' ? timeout < 0 : /^-\d/.test(timeout);
  return timeout === 'infinite' || isNegative ? Infinity : toMilliseconds(timeout);
}
