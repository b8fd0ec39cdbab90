/** Go's error about a text that is not a time zone; undefined for a known one. */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'Local' || isKnown(name)) return undefined;
  return `unknown time zone ${name}`;
}

/** Names are case-sensitive here; JavaScript accepts any case, and offsets too. */
function isKnown(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

const quarterMs = 900_000;

/** The clocks of a time zone. */
export class TimeZone {
  /** Undefined for UTC, and what is the same for the programs of a cluster. */
  readonly #format: Intl.DateTimeFormat | undefined;
  /** Clocks change at quarters of an hour, and asking takes long. */
  #last = { quarter: NaN, offset: 0 };

  /** @param name as in the IANA database, or empty for UTC */
  constructor(name: string) {
    this.#format = ['', 'Local', 'UTC'].includes(name) ? undefined : formatOf(name);
  }

  /** What the clocks show at a time: a Date whose UTC fields are theirs. @param time in milliseconds since 1970, as all times here */
  clockAt(time: number): Date {
    return new Date(time + this.#offsetAt(time));
  }

  /**
   * When the clocks show something. Of two times, and where clocks skip over it, the one that Go chooses
   * (https://pkg.go.dev/time#Date).
   *
   * @param clock what they show, as if it were UTC
   */
  timeOf(clock: number): number {
    return clock - this.#offsetAt(clock - this.#offsetAt(clock));
  }

  /** A time of the zone as RFC 3339, in whole seconds. */
  format(time: number): string {
    const offset = this.#offsetAt(time) / 60_000;
    const clock = this.clockAt(time).toISOString().slice(0, 19);
    if (offset === 0) return `${clock}Z`;
    return `${clock}${offset < 0 ? '-' : '+'}${twoDigits(offset / 60)}:${twoDigits(offset % 60)}`;
  }

  /** In milliseconds: how far the clocks are ahead of UTC. */
  #offsetAt(time: number): number {
    if (!this.#format) return 0;
    const quarter = Math.floor(time / quarterMs) * quarterMs;
    if (quarter !== this.#last.quarter)
      this.#last = { quarter, offset: clockOf(this.#format, quarter) - quarter };
    return this.#last.offset;
  }
}

function twoDigits(value: number): string {
  return `${Math.trunc(Math.abs(value))}`.padStart(2, '0');
}

/** What the clocks show, as if it were UTC. */
function clockOf(format: Intl.DateTimeFormat, time: number): number {
  const fields = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day, hour, minute, second } = fields;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const numeric = 'numeric';
  return new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn-hc-h23', {
    timeZone,
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
}
