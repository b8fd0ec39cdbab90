/** A text does not match Go's layout; the message is Go's. */
export class GoTimeError extends Error {
  readonly code = 'time';
  override readonly name = 'GoTimeError';
}

/** Reads a text from left to right, along the elements of Go's layouts. */
export class GoTimeReader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  /** Reads `2006-01-02`. {@link dayOf} checks whether the day exists, because Go checks that last. */
  readDate(): readonly [year: number, month: number, day: number] {
    const year = this.#readNumber('2006');
    this.#skip('-');
    const month = this.#readNumber('01');
    this.#skip('-');
    return [year, month, this.#readNumber('02')];
  }

  /** Reads `T15:04:05`, as milliseconds. */
  readClock(): number {
    const [hour, minute, second] = (
      [
        ['T', '15'],
        [':', '04'],
        [':', '05'],
      ] as const
    ).map(([before, element]) => {
      this.#skip(before);
      return this.#readNumber(element);
    }) as [number, number, number];
    return ((hour * 60 + minute) * 60 + second) * 1000;
  }

  /**
   * When a day starts, in milliseconds since 1970.
   * @throws {GoTimeError} when the day does not exist
   */
  dayOf([year, month, day]: readonly [year: number, month: number, day: number]): number {
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    if (day < 1 || date.getUTCDate() !== day || date.getUTCMonth() !== month - 1)
      throw this.#outOfRange('day');
    return date.getTime();
  }

  #skip(before: string): void {
    if (!this.#rest.startsWith(before)) throw this.#mismatch(before);
    this.#rest = this.#rest.slice(before.length);
  }

  /** The year has four digits, the others have two; an hour may have one. */
  #readNumber(element: string): number {
    const pattern = element === '2006' ? /^\d{4}/ : element === '15' ? /^\d{1,2}/ : /^\d\d/;
    const value = Number(this.#take(pattern, element));
    const unit = units[element];
    if (unit && (value < unit.least || value > unit.most)) throw this.#outOfRange(unit.name);
    return value;
  }

  /** Reads a fraction of a second and ignores it. */
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
    if (Number(hours) > 24) throw this.#outOfRange('time zone offset hour');
    if (Number(minutes) > 60) throw this.#outOfRange('time zone offset minute');
    if (sign !== '+' && sign !== '-') throw this.#mismatch(element, rest);
    return (Number(hours) * 60 + Number(minutes)) * 60 * (sign === '-' ? -1 : 1);
  }

  end(): void {
    if (this.#rest !== '') throw this.#error(`: extra text: ${quote(this.#rest)}`);
  }

  #outOfRange(unit: string): GoTimeError {
    return this.#error(`: ${unit} out of range`);
  }

  #take(pattern: RegExp, element: string): string {
    const [found] = pattern.exec(this.#rest) ?? [];
    if (found === undefined) throw this.#mismatch(element);
    this.#rest = this.#rest.slice(found.length);
    return found;
  }

  #mismatch(element: string, rest = this.#rest): GoTimeError {
    return this.#error(` as ${quote(this.#layout)}: cannot parse ${quote(rest)} as ${quote(element)}`);
  }

  #error(detail: string): GoTimeError {
    return new GoTimeError(`parsing time ${quote(this.#text)}${detail}`);
  }
}

const units: Readonly<Record<string, { name: string; least: number; most: number }>> = {
  '01': { name: 'month', least: 1, most: 12 },
  '15': { name: 'hour', least: 0, most: 23 },
  '04': { name: 'minute', least: 0, most: 59 },
  '05': { name: 'second', least: 0, most: 59 },
};

/** Quotes like Go's package time: bytes outside of ASCII are written in hexadecimal. */
function quote(text: string): string {
  const escaped = text
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/[^ -~\u007F]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    );
  return `"${escaped}"`;
}
