import type { DestinationStream } from 'pino';
import { type Painter, painter } from './painter.ts';

/**
 * Turns the JSON lines of the logger into text for people: `12:00:00.000 INFO  message name=value`. An error whose
 * message says everything is part of the line, with its hint. An error with a stack is followed by the stack, its
 * causes and its hint.
 * @param colors whether to color it, for a terminal.
 */
export function prettyStream(stream: { write(text: string): unknown }, colors: boolean): DestinationStream {
  const paint = painter(colors);
  return { write: (line) => void stream.write(`${pretty(JSON.parse(line) as LogLine, paint)}\n`) };
}

interface LoggedError {
  message?: string;
  stack?: string;
  hint?: string;
  cause?: LoggedError;
}

interface LogLine {
  level: string;
  time: string;
  msg?: string;
  /** A text if the thrown value is not an error. */
  err?: LoggedError | string;
  hint?: string;
  [field: string]: unknown;
}

function pretty({ level, time, msg = '', err, hint: ownHint, ...fields }: LogLine, paint: Painter): string {
  const error = typeof err === 'string' ? { message: err } : (err ?? {});
  const hint = ownHint ?? error.hint;
  const stacks = stackLines(error);
  // The last line of a program, or a stack, is followed by a separate line for the hint.
  const hasOwnLine = stacks.length > 0 || level === 'fatal';
  const pairs = Object.entries({ ...fields, ...(hasOwnLine ? {} : { hint }) })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${paint.faint(`${name}=`)}${text(value)}`);
  const line = [
    paint.faint(time.slice(11, 23)),
    paint.level(level),
    inOneLine(titleOf(msg, error)),
    ...pairs,
  ];
  return [
    line.join(' '),
    ...stacks.map((stack) => paint.faint(indented(stack))),
    ...(hasOwnLine && hint !== undefined ? [paint.hint(indented(inOneLine(hint)))] : []),
  ].join('\n');
}

/** Some messages already end with the error's message. */
function titleOf(msg: string, { message, stack }: LoggedError): string {
  if (message === undefined || stack !== undefined || msg.endsWith(message)) return msg;
  return msg === '' ? message : `${msg}: ${message}`;
}

function stackLines({ stack, cause }: LoggedError): string[] {
  const own = stack === undefined ? [] : [stack];
  const below = cause === undefined ? [] : stackLines(cause);
  if (stack !== undefined && cause?.message !== undefined && cause.stack === undefined) {
    return [...own, `Caused by: ${inOneLine(cause.message)}`, ...below];
  }
  return below.length === 0 ? own : [...own, 'Caused by:', ...below];
}

/** Stacks contain messages, which may come from anywhere: control characters could take over a terminal. */
function indented(lines: string): string {
  return lines.replaceAll(/[^\P{Cc}\n]/gu, ' ').replaceAll(/^/gm, '    ');
}

function inOneLine(message: string): string {
  return message.replaceAll(/\p{Cc}+/gu, ' ');
}

function text(value: unknown): string {
  return typeof value === 'string' && /^[^\s\p{Cc}"]+$/u.test(value) ? value : JSON.stringify(value);
}
