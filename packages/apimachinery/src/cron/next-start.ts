import type { CalendarSchedule, CronSchedule } from './cron-schedule.ts';
import { TimeZone } from './time-zone.ts';

/** A field of the calendar. */
interface Unit {
  matches(schedule: CalendarSchedule, clock: Date): boolean;
  /** The beginning of the month, day and so on that clocks show. */
  start(zone: TimeZone, time: number): number;
  /** The beginning of the next one. */
  next(zone: TimeZone, time: number): number;
  /** Whether a larger unit has changed: its field has to be looked at again. */
  isWrapped(clock: Date): boolean;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The largest first. */
const units: readonly Unit[] = [
  {
    matches: ({ months }, clock) => months.values.has(clock.getUTCMonth() + 1),
    start: (zone, time) =>
      withClock(zone, time, (clock) => clock.setUTCHours(0, 0, 0) && clock.setUTCDate(1)),
    next: (zone, time) => withClock(zone, time, (clock) => clock.setUTCMonth(clock.getUTCMonth() + 1)),
    isWrapped: (clock) => clock.getUTCMonth() === 0,
  },
  {
    matches: isOnDay,
    start: (zone, time) => withClock(zone, time, (clock) => clock.setUTCHours(0, 0, 0)),
    next: nextDay,
    isWrapped: (clock) => clock.getUTCDate() === 1,
  },
  {
    matches: ({ hours }, clock) => hours.values.has(clock.getUTCHours()),
    start: (zone, time) => withClock(zone, time, (clock) => clock.setUTCMinutes(0, 0)),
    next: (_, time) => time + hourMs,
    isWrapped: (clock) => clock.getUTCHours() === 0,
  },
  {
    matches: ({ minutes }, clock) => minutes.values.has(clock.getUTCMinutes()),
    start: (_, time) => time - (time % minuteMs),
    next: (_, time) => time + minuteMs,
    isWrapped: (clock) => clock.getUTCMinutes() === 0,
  },
  {
    matches: (_, clock) => clock.getUTCSeconds() === 0,
    start: (_, time) => time,
    next: (_, time) => time + secondMs,
    isWrapped: (clock) => clock.getUTCSeconds() === 0,
  },
];

/** A schedule without a start in so many years has none. */
const maxYears = 5;

/**
 * The next start of a schedule. Where clocks change, it is that of Kubernetes: an hour that clocks skip has no start, and one that they
 * repeat has its starts twice.
 *
 * @param after in milliseconds since 1970: the start is later
 * @param timeZone of the schedule, unless it has its own. Default: UTC.
 * @returns in milliseconds since 1970; undefined if there is none, such as on February 30
 */
export function nextStart(schedule: CronSchedule, after: number, timeZone = ''): number | undefined {
  const second = Math.floor(after / secondMs) * secondMs;
  if ('everySeconds' in schedule) return second + schedule.everySeconds * secondMs;
  if (!canMatch(schedule)) return undefined;
  const zone = zoneOf(schedule.timeZone ?? timeZone);
  let time = second + secondMs;
  let clock = zone.clockAt(time);
  let isAtStart = false;
  const lastYear = clock.getUTCFullYear() + maxYears;
  for (let index = 0; index < units.length;) {
    const unit = units[index]!;
    if (unit.matches(schedule, clock)) {
      index += 1;
      continue;
    }
    if (!isAtStart) time = unit.start(zone, time);
    isAtStart = true;
    time = unit.next(zone, time);
    clock = zone.clockAt(time);
    if (!unit.isWrapped(clock)) continue;
    if (clock.getUTCFullYear() > lastYear) return undefined;
    index = 0;
  }
  return time;
}

/** A list without numbers, such as `,`, never matches. */
function canMatch({ minutes, hours, months }: CalendarSchedule): boolean {
  return [minutes, hours, months].every(({ values }) => values.size > 0);
}

/** Two fields that both have no star widen each other. */
function isOnDay({ days, weekdays }: CalendarSchedule, clock: Date): boolean {
  const isDay = days.values.has(clock.getUTCDate());
  const isWeekday = weekdays.values.has(clock.getUTCDay());
  return days.isStar || weekdays.isStar ? isDay && isWeekday : isDay || isWeekday;
}

function withClock(zone: TimeZone, time: number, set: (clock: Date) => unknown): number {
  const clock = zone.clockAt(time);
  set(clock);
  return zone.timeOf(clock.getTime());
}

/** Midnight. Where clocks skip it, the time at which they would show it without that. */
function nextDay(zone: TimeZone, time: number): number {
  const next = withClock(zone, time, (clock) => clock.setUTCDate(clock.getUTCDate() + 1));
  const hour = zone.clockAt(next).getUTCHours();
  // Samoa skipped a whole day in 2011: time still has to pass.
  return Math.max(time + hourMs, next + (hour > 12 ? 24 - hour : -hour) * hourMs);
}

const zones = new Map<string, TimeZone>();

/** To know the rules of a time zone takes long. */
function zoneOf(name: string): TimeZone {
  const known = zones.get(name);
  if (known) return known;
  const zone = new TimeZone(name);
  zones.set(name, zone);
  return zone;
}
