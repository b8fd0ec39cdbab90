import { createRequire } from 'node:module';
import type { DestinationStream, pino as Pino } from 'pino';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from './logger.ts';
import { prettyStream } from './pretty-stream.ts';
import { withoutContents } from './without-contents.ts';

export interface LoggerOptions {
  /** `trace`, `debug`, `info` (the default), `warn`, `error`, `fatal` or `silent`. */
  level?: string | undefined;
  /** One JSON document a line for machines (the default), or text for people. */
  format?: 'json' | 'pretty' | undefined;
  /** Where lines go; standard error by default. */
  stream?: { write(text: string): unknown } | undefined;
}

const require = createRequire(import.meta.url);

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Names under which credentials travel. */
const secretFields = ['token', 'password', 'authorization', 'keyData', 'certData', 'headers.authorization'];

/**
 * A structured logger. Kubernetes objects are logged as references, never with their contents, which may be those of
 * a Secret; fields that carry credentials are masked.
 * @throws {UsageError} when there is no such level
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = 'info' } = options;
  if (!levels.includes(level)) {
    throw new UsageError(
      `there is no log level ${JSON.stringify(level)}`,
      `Use one of ${levels.join(', ')}.`,
    );
  }
  // Loaded here and not at import: programs that only want the types of a kind do without it.
  const { pino } = require('pino') as { pino: typeof Pino };
  const stream = options.stream ?? process.stderr;
  const destination: DestinationStream =
    options.format === 'pretty' ? prettyStream(stream) : { write: (line) => void stream.write(line) };
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: [...secretFields, ...secretFields.map((field) => `*.${field}`)],
      formatters: { level: (label) => ({ level: label }), log: withoutContents },
    },
    destination,
  );
  // pino formats the fields of lines, but not those of child loggers, which all inherit this method.
  // oxlint-disable-next-line typescript/unbound-method -- it is called on the logger at hand
  const { child } = logger;
  logger.child = function (this: Logger, bindings: object, ...rest: []) {
    return child.call(this, withoutContents(bindings), ...rest);
  } as typeof child;
  return logger;
}
