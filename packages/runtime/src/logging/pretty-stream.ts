import type { DestinationStream } from 'pino';

/** Turns the JSON lines of the logger into `12:00:00.000 INFO  message name=value`, errors with their stack. */
export function prettyStream(stream: { write(text: string): unknown }): DestinationStream {
  return { write: (line) => void stream.write(`${pretty(JSON.parse(line) as LogLine)}\n`) };
}

interface LogLine {
  level: string;
  time: string;
  msg?: string;
  err?: { stack?: string };
  [field: string]: unknown;
}

function pretty({ level, time, msg = '', err, ...fields }: LogLine): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${text(value)}`);
  const line = [time.slice(11, 23), level.toUpperCase().padEnd(5), msg, ...pairs].join(' ');
  return err?.stack ? `${line}\n${err.stack.replaceAll(/^/gm, '    ')}` : line;
}

function text(value: unknown): string {
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
}
