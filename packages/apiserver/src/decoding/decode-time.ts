import { DecodeError } from './decode-error.ts';

/** The parts of a time in Go's layouts: what stands before each, and what it is called. */
const seconds = [
  ['', '2006'],
  ['-', '01'],
  ['-', '02'],
  ['T', '15'],
  [':', '04'],
  [':', '05'],
] as const;
const layouts = {
  time: '2006-01-02T15:04:05Z07:00',
  microTime: '2006-01-02T15:04:05.000000Z07:00',
};
/** Year 1, which is no time at all in Go. */
const zeroTime = -62_135_596_800_000;

/**
 * Reads a time as Go does.
 *
 * @param kind a `time` has whole seconds, a `microTime` six digits behind them, no more and no less
 * @returns it in UTC; null for the time that is none
 * @throws {DecodeError} when the text is none
 */
export function decodeTime(text: string, kind: 'time' | 'microTime'): string | null {
  const reader = new TimeReader(text, layouts[kind]);
  const [year, month, day, hour, minute, second] = seconds.map(([before, element]) => {
    reader.skip(before);
    return reader.readNumber(element);
  }) as [number, number, number, number, number, number];
  const micros = kind === 'time' ? reader.skipFraction() : reader.readMicros();
  const offset = reader.readZone();
  reader.end();
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (day < 1 || date.getUTCDate() !== day || date.getUTCMonth() !== month - 1)
    throw reader.outOfRange('day');
  date.setUTCHours(hour, minute, second);
  const time = date.getTime() - offset * 1000;
  if (time === zeroTime && !/[1-9]/.test(micros)) return null;
  return `${new Date(time).toISOString().replace(/\.\d+Z$/, '')}${micros}Z`;
}

/** Reads a text from left to right, along the elements of Go's layouts. */
class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  skip(before: string): void {
    if (!this.#rest.startsWith(before)) throw this.#mismatch(before);
    this.#rest = this.#rest.slice(before.length);
  }

  /** The year has four digits, the others have two; an hour may have one. */
  readNumber(element: string): number {
    const pattern = element === '2006' ? /^\d{4}/ : element === '15' ? /^\d{1,2}/ : /^\d\d/;
    const value = Number(this.#take(pattern, element));
    const unit = units[element];
    if (unit && (value < unit.least || value > unit.most)) throw this.outOfRange(unit.name);
    return value;
  }

  /** What is finer than a second is read, and forgotten. */
  skipFraction(): string {
    this.#rest = this.#rest.replace(/^[.,]\d+/, '');
    return '';
  }

  readMicros(): string {
    return this.#take(/^[.,]\d{6}/, '.000000').replace(',', '.');
  }

  /** @returns seconds east of Greenwich */
  readZone(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const element = 'Z07:00';
    const rest = this.#rest;
    const [sign = '', hours, minutes] = this.#take(/^.\d\d:\d\d/s, element).split(/(?<=^.)|:/s);
    if (Number(hours) > 24) throw this.outOfRange('time zone offset hour');
    if (Number(minutes) > 60) throw this.outOfRange('time zone offset minute');
    if (sign !== '+' && sign !== '-') throw this.#mismatch(element, rest);
    return (Number(hours) * 60 + Number(minutes)) * 60 * (sign === '-' ? -1 : 1);
  }

  end(): void {
    if (this.#rest !== '') throw this.#error(`: extra text: ${quote(this.#rest)}`);
  }

  outOfRange(unit: string): DecodeError {
    return this.#error(`: ${unit} out of range`);
  }

  #take(pattern: RegExp, element: string): string {
    const [found] = pattern.exec(this.#rest) ?? [];
    if (found === undefined) throw this.#mismatch(element);
    this.#rest = this.#rest.slice(found.length);
    return found;
  }

  #mismatch(element: string, rest = this.#rest): DecodeError {
    return this.#error(` as ${quote(this.#layout)}: cannot parse ${quote(rest)} as ${quote(element)}`);
  }

  #error(detail: string): DecodeError {
    return new DecodeError(`parsing time ${quote(this.#text)}${detail}`);
  }
}

const units: Readonly<Record<string, { name: string; least: number; most: number }>> = {
  '01': { name: 'month', least: 1, most: 12 },
  '15': { name: 'hour', least: 0, most: 23 },
  '04': { name: 'minute', least: 0, most: 59 },
  '05': { name: 'second', least: 0, most: 59 },
};

/** As Go's package of times quotes: bytes that are no ASCII are written in hexadecimal. */
function quote(text: string): string {
  const escaped = text
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/[^ -~\u007F]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    );
  return `"${escaped}"`;
}
