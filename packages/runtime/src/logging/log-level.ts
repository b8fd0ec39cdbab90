import { UsageError } from '../errors/usage-error.ts';

/** The least severe level that is logged, of `trace`, `debug`, `info`, `warn`, `error`, `fatal`; `silent` logs nothing. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

const levels: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Names of zap, the logger of controller-runtime, for levels with other names here. */
const synonyms: Record<string, LogLevel> = { warning: 'warn', dpanic: 'fatal', panic: 'fatal' };

/**
 * Parses the value of a flag: a name, or a verbosity as in `klog -v` and `--zap-log-level`.
 *
 * | Text                  | Level   | Shows                   |
 * | --------------------- | ------- | ----------------------- |
 * | `silent`              | silent  | nothing                 |
 * | `fatal`, `panic`      | fatal   | why the process ends    |
 * | `error`               | error   | failures                |
 * | `warn`, `warning`     | warn    | what may need attention |
 * | `info`, `0`           | info    | what happens            |
 * | `debug`, `1`          | debug   | why it happens          |
 * | `trace`, `2` and more | trace   | everything              |
 *
 * @throws {UsageError} for any other value.
 */
export function logLevel(text: string | number): LogLevel {
  const name = String(text).trim().toLowerCase();
  if (/^\d+$/.test(name)) return (['info', 'debug'] as const)[Number(name)] ?? 'trace';
  const level = levels.find((known) => known === name) ?? synonyms[name];
  if (level !== undefined) return level;
  throw new UsageError(
    `${JSON.stringify(text)} is not a log level`,
    `Use one of ${levels.join(', ')}, or a verbosity: 0 for info, 1 for debug, 2 and more for trace.`,
  );
}
