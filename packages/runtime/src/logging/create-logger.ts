import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import type { DestinationStream, pino as Pino } from 'pino';
import { chooseFormat, showsColors } from './line-format.ts';
import { LineStream } from './line-stream.ts';
import type { Logger } from './logger.ts';
import { maskCredentials } from './mask-credentials.ts';
import { prettyStream } from './pretty-stream.ts';
import { Threshold } from './threshold.ts';
import { valueWithoutContents, withoutContents } from './without-contents.ts';

/** What to log, how and where. */
export interface LoggerOptions {
  /** A name or a verbosity, see `logLevel`; `info` by default. */
  level?: string | number | undefined;
  /**
   * One JSON document per line for machines, or text for people; by default text if the stream is a terminal. Text is
   * colored on a terminal with colors; `NO_COLOR` in the environment turns that off.
   */
  format?: 'json' | 'pretty' | undefined;
  /** Where lines go; standard error by default. */
  stream?: { write(text: string): unknown } | undefined;
}

const require = createRequire(import.meta.url);

/**
 * Creates a structured logger. It logs Kubernetes objects as references, never with their contents, because they may be
 * Secrets. It masks fields that carry credentials, and recognizable tokens, keys and passwords in URLs anywhere.
 *
 * Setting `level` of the logger or of one of its children changes the level of all of them at any time.
 * @throws {UsageError} if the level does not exist
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  // Loaded here and not at import: programs that only need the types of a kind do not load it.
  const { pino } = require('pino') as { pino: typeof Pino };
  const threshold = new Threshold(options.level ?? 'info', pino.levels.values);
  const logger = pino(
    {
      // Enable all methods and let the threshold decide: pino fixes the level of a child when it creates it.
      level: 'trace',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutContents },
      serializers: { err: (error: unknown) => error },
      hooks: {
        logMethod(args, method, level) {
          if (threshold.admits(level)) method.apply(this, withoutFormatted(args));
        },
      },
    },
    destination(options),
  );
  followThreshold(logger, threshold);
  return logger;
}

/** The reader of standard error or another Node.js stream may be slow or gone. */
function destination({ stream = process.stderr, format }: LoggerOptions): DestinationStream {
  const lines = stream instanceof Writable ? new LineStream(stream) : stream;
  const target = { write: (line: string): void => void lines.write(maskCredentials(line)) };
  return chooseFormat(format, stream) === 'pretty' ? prettyStream(target, showsColors(stream)) : target;
}

/** Gives the logger, and its children, which inherit from it, the level of the threshold. */
function followThreshold(logger: Logger, threshold: Threshold): void {
  // oxlint-disable-next-line typescript/unbound-method -- it is called on the logger at hand
  const { child } = logger;
  Object.defineProperties(logger, {
    level: {
      get: () => threshold.level,
      set: (level: string) => {
        threshold.level = level;
      },
    },
    isLevelEnabled: { value: (level: string) => threshold.admits(level) },
    child: {
      value(this: Logger, bindings: object, options: object = {}) {
        // pino formats the fields of lines, but not those of child loggers.
        return child.call(this, withoutContents(bindings), { level: 'trace', ...options });
      },
    },
  });
}

/** The arguments of a log method: fields, a text and what is formatted into it. */
function withoutFormatted<Arguments extends unknown[]>(args: Arguments): Arguments {
  const first = typeof args[0] === 'string' ? 1 : 2;
  if (args.length <= first) return args;
  return args.map((arg, index) => (index < first ? arg : valueWithoutContents(arg))) as Arguments;
}
