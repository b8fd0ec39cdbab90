import { parseDuration } from '../duration.ts';
import { goQuote } from '../go/go-quote.ts';
import { parseInteger } from '../go/parse-integer.ts';
import { timeZoneProblem } from './time-zone.ts';

/** The times at which a field of a schedule matches. */
interface CronField {
  readonly values: ReadonlySet<number>;
  /** Whether the field has a star: then it does not widen the other field for days. */
  readonly isStar: boolean;
}

/** When a CronJob starts by the calendar. */
export interface CalendarSchedule {
  /** Of the schedule itself; undefined if it has none. */
  readonly timeZone: string | undefined;
  readonly minutes: CronField;
  readonly hours: CronField;
  /** From 1. */
  readonly days: CronField;
  /** From 1. */
  readonly months: CronField;
  /** From 0, which is Sunday. */
  readonly weekdays: CronField;
}

/** When a CronJob starts: by the calendar, or again and again after some seconds. */
export type CronSchedule = CalendarSchedule | { readonly everySeconds: number };

interface FieldLimits {
  readonly min: number;
  readonly max: number;
  /** Words that stand for numbers. */
  readonly names?: ReadonlyMap<string, number>;
}

const monthNames = namesFrom(1, 'jan feb mar apr may jun jul aug sep oct nov dec');
const dayNames = namesFrom(0, 'sun mon tue wed thu fri sat');
const fields: readonly FieldLimits[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: monthNames },
  { min: 0, max: 6, names: dayNames },
];
const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const every = '@every ';

/**
 * Parses a cron schedule as Kubernetes does: five fields, or a word such as `@daily` or `@every 1h30m`, after an optional time zone
 * (`TZ=Europe/Berlin `).
 *
 * @throws {SyntaxError} in the words of Kubernetes' parser
 */
export function parseCronSchedule(schedule: string): CronSchedule {
  const { timeZone, rest } = splitTimeZone(schedule);
  if (rest.startsWith(every)) return { everySeconds: parseEvery(rest) };
  const parts = textOf(rest)
    .split(/\s+/u)
    .filter((part) => part !== '');
  if (parts.length !== fields.length)
    throw new SyntaxError(
      `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`,
    );
  const [minutes, hours, days, months, weekdays] = fields.map((limits, index) =>
    parseField(parts[index]!, limits),
  );
  return {
    timeZone,
    minutes: minutes!,
    hours: hours!,
    days: days!,
    months: months!,
    weekdays: weekdays!,
  };
}

function namesFrom(first: number, words: string): ReadonlyMap<string, number> {
  return new Map(words.split(' ').map((word, index) => [word, first + index]));
}

function splitTimeZone(schedule: string): { timeZone: string | undefined; rest: string } {
  const prefix = /^(CRON_)?TZ=/.exec(schedule)?.[0];
  if (prefix === undefined) return { timeZone: undefined, rest: schedule };
  const end = schedule.indexOf(' ');
  // A time zone alone makes the parser fail in its own way.
  if (end < 0)
    throw new SyntaxError('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  const timeZone = schedule.slice(prefix.length, end);
  const problem = timeZoneProblem(timeZone);
  if (problem !== undefined) throw new SyntaxError(`provided bad location ${timeZone}: ${problem}`);
  return { timeZone, rest: schedule.slice(end).trim() };
}

/** The five fields that a word stands for. */
function textOf(schedule: string): string {
  if (!schedule.startsWith('@')) return schedule;
  const text = descriptors.get(schedule);
  if (text === undefined) throw new SyntaxError(`unrecognized descriptor: ${schedule}`);
  return text;
}

/** In whole seconds, and at least one. */
function parseEvery(descriptor: string): number {
  const parsed = parseDuration(descriptor.slice(every.length));
  if (typeof parsed === 'string') throw new SyntaxError(`failed to parse duration ${descriptor}: ${parsed}`);
  return Math.max(1, Number(parsed / 1_000_000_000n));
}

function parseField(text: string, limits: FieldLimits): CronField {
  const ranges = text
    .split(',')
    .filter((range) => range !== '')
    .map((range) => parseRange(range, limits));
  return {
    values: new Set(ranges.flatMap(({ values }) => [...values])),
    isStar: ranges.some(({ isStar }) => isStar),
  };
}

function parseRange(range: string, { min, max, names }: FieldLimits): CronField {
  const [limits = '', step, ...more] = range.split('/');
  const { start, end, isSingle } = readLimits(limits, range, {
    min,
    max,
    ...(names && { names }),
  });
  const stride = step === undefined ? 1 : more.length > 0 ? undefined : readNumber(step);
  if (stride === undefined) throw new SyntaxError(`too many slashes: ${range}`);
  const last = step !== undefined && isSingle ? max : end;
  if (start < min) throw new SyntaxError(`beginning of range (${start}) below minimum (${min}): ${range}`);
  if (last > max) throw new SyntaxError(`end of range (${last}) above maximum (${max}): ${range}`);
  if (start > last)
    throw new SyntaxError(`beginning of range (${start}) beyond end of range (${last}): ${range}`);
  if (stride === 0) throw new SyntaxError(`step of range should be a positive number: ${range}`);
  const values = new Set<number>();
  for (let value = start; value <= last; value += stride) values.add(value);
  return { values, isStar: /^[*?]/.test(range) && stride === 1 };
}

function readLimits(
  text: string,
  range: string,
  { min, max, names }: FieldLimits,
): { start: number; end: number; isSingle: boolean } {
  const [low = '', high, ...more] = text.split('-');
  const isSingle = high === undefined;
  if (low === '*' || low === '?') return { start: min, end: max, isSingle };
  const start = readNumber(low, names);
  if (more.length > 0) throw new SyntaxError(`too many hyphens: ${range}`);
  return { start, end: isSingle ? start : readNumber(high, names), isSingle };
}

function readNumber(text: string, names?: ReadonlyMap<string, number>): number {
  const named = names?.get(text.toLowerCase());
  if (named !== undefined) return named;
  const value = parseInteger(text);
  if (value === undefined) {
    const problem = /^[+-]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
    throw new SyntaxError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${problem}`,
    );
  }
  if (value < 0) throw new SyntaxError(`negative number (${value}) not allowed: ${text}`);
  return value;
}
