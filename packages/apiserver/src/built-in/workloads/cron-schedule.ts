import { parseDuration } from 'ots-apimachinery/duration';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import { parseInteger } from './parse-integer.ts';
import { timeZoneProblem } from './time-zone.ts';

interface Field {
  readonly min: number;
  readonly max: number;
  /** Words that stand for numbers. */
  readonly names?: ReadonlyMap<string, number>;
}

const months = namesFrom(1, 'jan feb mar apr may jun jul aug sep oct nov dec');
const days = namesFrom(0, 'sun mon tue wed thu fri sat');
const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];
const descriptors = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const every = '@every ';

/**
 * Validates a cron schedule as kube-apiserver's parser does: five fields, or a word such as `@daily`.
 *
 * @throws {SyntaxError} in the words of that parser
 */
export function checkCronSchedule(schedule: string): void {
  const rest = withoutTimeZone(schedule);
  if (rest.startsWith('@')) {
    checkDescriptor(rest);
    return;
  }
  const parts = rest.split(/\s+/u).filter((part) => part !== '');
  if (parts.length !== fields.length)
    throw new SyntaxError(
      `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`,
    );
  for (const [index, field] of fields.entries())
    for (const range of (parts[index] ?? '').split(',')) if (range !== '') checkRange(range, field);
}

function namesFrom(first: number, words: string): ReadonlyMap<string, number> {
  return new Map(words.split(' ').map((word, index) => [word, first + index]));
}

function withoutTimeZone(schedule: string): string {
  const prefix = /^(CRON_)?TZ=/.exec(schedule)?.[0];
  if (prefix === undefined) return schedule;
  const end = schedule.indexOf(' ');
  // A time zone alone makes the parser fail in its own way.
  if (end < 0)
    throw new SyntaxError('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  const zone = schedule.slice(prefix.length, end);
  const problem = timeZoneProblem(zone);
  if (problem !== undefined) throw new SyntaxError(`provided bad location ${zone}: ${problem}`);
  return schedule.slice(end).trim();
}

function checkDescriptor(descriptor: string): void {
  if (descriptors.has(descriptor)) return;
  if (!descriptor.startsWith(every)) throw new SyntaxError(`unrecognized descriptor: ${descriptor}`);
  const parsed = parseDuration(descriptor.slice(every.length));
  if (typeof parsed === 'string') throw new SyntaxError(`failed to parse duration ${descriptor}: ${parsed}`);
}

function checkRange(range: string, { min, max, names }: Field): void {
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
}

function readLimits(
  text: string,
  range: string,
  { min, max, names }: Field,
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
