import type { DestinationStream } from 'pino';

/** Turns the JSON lines of the logger into `12:00:00.000 INFO  message name=value`, errors with their hint and stack. */
export function prettyStream(stream: { write(text: string): unknown }): DestinationStream {
  return { write: (line) => void stream.write(`${pretty(JSON.parse(line) as LogLine)}\n`) };
}

interface LoggedError {
  stack?: string;
  hint?: string;
  cause?: LoggedError;
}

interface LogLine {
  level: string;
  time: string;
  msg?: string;
  err?: LoggedError;
  [field: string]: unknown;
}

function pretty({ level, time, msg = '', err, ...fields }: LogLine): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${text(value)}`);
  const line = [time.slice(11, 23), level.toUpperCase().padEnd(5), msg, ...pairs].join(' ');
  return [line, ...errorLines(err).map((detail) => detail.replaceAll(/^/gm, '    '))].join('\n');
}

function errorLines(error: LoggedError | undefined): string[] {
  const { hint, stack, cause } = error ?? {};
  const own = [hint, stack].filter((detail) => detail !== undefined);
  return cause?.stack === undefined ? own : [...own, 'Caused by:', ...errorLines(cause)];
}

function text(value: unknown): string {
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
}
