import { createRequire } from 'node:module';
import type { DestinationStream, pino as Pino } from 'pino';
import type { Logger } from './logger.ts';
import { prettyStream } from './pretty-stream.ts';
import { withoutContents } from './without-contents.ts';

export interface LoggerOptions {
  /** `info` by default. */
  level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** One JSON document a line for machines (the default), or text for people. */
  format?: 'json' | 'pretty';
  /** Where lines go; standard error by default. */
  stream?: { write(text: string): unknown };
}

const require = createRequire(import.meta.url);

/** Names under which credentials travel. */
const secretFields = ['token', 'password', 'authorization', 'keyData', 'certData', 'headers.authorization'];

/**
 * A structured logger. Kubernetes objects are logged as references, never with their contents, which may be those of
 * a Secret; fields that carry credentials are masked.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  // Loaded here and not at import: programs that only want the types of a kind do without it.
  const { pino } = require('pino') as { pino: typeof Pino };
  const stream = options.stream ?? process.stderr;
  const destination: DestinationStream =
    options.format === 'pretty' ? prettyStream(stream) : { write: (line) => void stream.write(line) };
  const logger = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: [...secretFields, ...secretFields.map((field) => `*.${field}`)],
      formatters: { level: (label) => ({ level: label }), log: withoutContents },
    },
    destination,
  );
  // pino formats the fields of lines, but not those of child loggers, which all inherit this method.
  const { child } = logger;
  logger.child = function (this: Logger, bindings: object, ...rest: []) {
    return child.call(this, withoutContents(bindings), ...rest);
  } as typeof child;
  return logger;
}
